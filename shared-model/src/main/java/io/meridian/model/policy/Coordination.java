package io.meridian.model.policy;

import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;

/**
 * Coordination between regions, and behaviour when they are cut off from each other.
 *
 * @param floorPercent in escrow, share of the limit that is divided among the regions before any of them reports demand
 */
public record Coordination(Scope scope, Mode mode, OnExhausted onExhausted, int floorPercent, AfterHeal afterHeal) {
    /** At least half of a limit follows demand. Leaders keep back as much as this until a region reports its floor. */
    public static final int FLOOR_PERCENT_MAX = 50;

    public static final Coordination REGIONAL =
            new Coordination(Scope.REGIONAL, Mode.CONVERGE, OnExhausted.DENY, AfterHeal.FORGIVE);

    public Coordination(Scope scope, Mode mode, OnExhausted onExhausted, AfterHeal afterHeal) {
        this(scope, mode, onExhausted, FLOOR_PERCENT_MAX, afterHeal);
    }

    public Coordination {
        boolean global = scope == Scope.GLOBAL;
        new Validator()
                .require(
                        global || mode == Mode.CONVERGE,
                        "mode",
                        EnumNames.text(mode),
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
                        EnumNames.text(afterHeal),
                        "must be forgive with scope regional: a partition does not touch it")
                .throwIfInvalid();
    }

    public boolean isEscrow() {
        return mode == Mode.ESCROW;
    }

    /**
     * Treatment of units admitted above a global limit during a network partition. The code is part of the wire format: never to be
     * given to another.
     */
    public enum AfterHeal {
        /** It is reported, and forgotten. */
        FORGIVE(0),
        /** The next window pays it, at most with half of its limit. */
        CARRY(1),
        /** It stays on the counter, up to once more the limit: what slides or drains is free again so much later. */
        CAP(2);

        private final int code;

        AfterHeal(int code) {
            this.code = code;
        }

        public static AfterHeal ofCode(long code) {
            for (AfterHeal each : values()) {
                if (each.code == code) {
                    return each;
                }
            }
            throw new IllegalArgumentException("afterHeal must be from 0 to 2, got " + code);
        }

        public int code() {
            return code;
        }
    }

    /** Behaviour of a cut-off region once its grants are spent. */
    public sealed interface OnExhausted {
        OnExhausted DENY = new Deny();
        OnExhausted LOCAL = new Local();

        /** Admits nothing more: the sum over all regions stays below the limit. */
        record Deny() implements OnExhausted {
            @Override
            public String toString() {
                return "deny";
            }
        }

        /** Goes on as a regional limit. */
        record Local() implements OnExhausted {
            @Override
            public String toString() {
                return "local";
            }
        }

        /** Admits up to {@code percent} of the limit beyond what it was granted. */
        record Overdraft(int percent) implements OnExhausted {
            private static final String PREFIX = "overdraft:";

            public Overdraft {
                new Validator()
                        .require(
                                percent >= 1 && percent <= 100,
                                "on_exhausted",
                                PREFIX + percent,
                                "must overdraw 1 to 100 percent")
                        .throwIfInvalid();
            }

            @Override
            public String toString() {
                return PREFIX + percent;
            }
        }

        static OnExhausted parse(String text) {
            if (text.equals("deny")) {
                return DENY;
            }
            if (text.equals("local")) {
                return LOCAL;
            }
            boolean overdraft = text.matches("overdraft:\\d{1,3}");
            new Validator()
                    .require(overdraft, "on_exhausted", text, "must be deny, local or overdraft:PERCENT")
                    .throwIfInvalid();
            return new Overdraft(Integer.parseInt(text.substring(Overdraft.PREFIX.length())));
        }
    }

    /** Whether each region counts for itself or all regions together. */
    public enum Scope {
        REGIONAL,
        GLOBAL
    }

    /** Modes in which regions share a global limit. */
    public enum Mode {
        /** Each region admits by what it knows of the others: fast, and above the limit by at most the stated bound. */
        CONVERGE,
        /** Each region spends only what it was granted: never above the limit, in any execution. */
        ESCROW
    }
}
