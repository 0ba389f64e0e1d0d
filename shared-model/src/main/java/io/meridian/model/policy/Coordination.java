package io.meridian.model.policy;

import io.meridian.model.rule.Rules;

/**
 * How regions count together, and what happens when they cannot.
 *
 * @param floorPercent in escrow, how much of the limit is divided among the regions before any of them asks
 */
public record Coordination(Scope scope, Mode mode, OnExhausted onExhausted, int floorPercent, AfterHeal afterHeal) {
    /** At least half of a limit follows demand. Leaders keep back as much as this until they hear what a region uses. */
    public static final int FLOOR_PERCENT_MAX = 50;

    public static final Coordination REGIONAL =
            new Coordination(Scope.REGIONAL, Mode.CONVERGE, OnExhausted.DENY, AfterHeal.FORGIVE);

    public Coordination(Scope scope, Mode mode, OnExhausted onExhausted, AfterHeal afterHeal) {
        this(scope, mode, onExhausted, FLOOR_PERCENT_MAX, afterHeal);
    }

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
                        floorPercent >= 0 && floorPercent <= FLOOR_PERCENT_MAX,
                        "floor_percent",
                        floorPercent,
                        "must be from 0 to " + FLOOR_PERCENT_MAX + ": at least half of a limit follows demand")
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
