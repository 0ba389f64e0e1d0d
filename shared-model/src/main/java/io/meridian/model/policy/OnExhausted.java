package io.meridian.model.policy;

import io.meridian.model.rule.Rules;

/** What a cut-off region does once it has spent what it was granted. */
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
            new Rules()
                    .require(
                            percent >= 1 && percent <= 100,
                            "on_exhausted",
                            PREFIX + percent,
                            "must overdraw 1 to 100 percent")
                    .throwIfBroken();
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
        new Rules()
                .require(overdraft, "on_exhausted", text, "must be deny, local or overdraft:PERCENT")
                .throwIfBroken();
        return new Overdraft(Integer.parseInt(text.substring(Overdraft.PREFIX.length())));
    }
}
