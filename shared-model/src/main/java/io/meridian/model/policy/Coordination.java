package io.meridian.model.policy;

import io.meridian.model.rule.Rules;

/** How regions count together, and what happens when they cannot. */
public record Coordination(Scope scope, Mode mode, OnExhausted onExhausted, AfterHeal afterHeal) {
    public static final Coordination REGIONAL =
            new Coordination(Scope.REGIONAL, Mode.CONVERGE, OnExhausted.DENY, AfterHeal.FORGIVE);

    public Coordination {
        boolean global = scope == Scope.GLOBAL;
        new Rules()
                .require(
                        global || mode == Mode.CONVERGE,
                        "mode",
                        Choice.text(mode),
                        "must be converge with scope regional: a region needs no grant for a limit of its own")
                .require(
                        mode == Mode.ESCROW || onExhausted instanceof OnExhausted.Deny,
                        "on_exhausted",
                        onExhausted,
                        "must be deny with mode converge: only a grant can be exhausted")
                .require(
                        global || afterHeal == AfterHeal.FORGIVE,
                        "after_heal",
                        Choice.text(afterHeal),
                        "must be forgive with scope regional: a partition does not touch it")
                .throwIfBroken();
    }

    public boolean isEscrow() {
        return mode == Mode.ESCROW;
    }
}
