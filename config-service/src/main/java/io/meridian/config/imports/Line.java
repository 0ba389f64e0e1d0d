package io.meridian.config.imports;

import io.meridian.config.access.Shown;
import io.meridian.model.rules.RuleEntry;

/** One line of an import: an entry, or what is wrong with it. */
sealed interface Line {
    /** Where it begins, from 1. */
    long number();

    /** An entry. */
    record Good(long number, RuleEntry entry) implements Line {}

    /** No entry. What is said of it may hold what the line holds, so it is made fit to be shown and stored. */
    record Wrong(long number, String reason) implements Line {
        public Wrong {
            reason = Shown.text(reason);
        }
    }
}
