package io.meridian.config.rules;

import java.util.Optional;
import io.meridian.model.rulebook.EntryKey;
import java.util.List;

/**
 * What a set of changes came to.
 *
 * @param revision the rulebook's, with these changes in it
 * @param outcomes one per change, in their order; then those that followed from them
 * @param warnings what is likely a mistake, in words
 */
public record ChangeResult(long revision, List<EntryOutcome> outcomes, List<String> warnings) {
    public ChangeResult {
        outcomes = List.copyOf(outcomes);
        warnings = List.copyOf(warnings);
    }

    /** What became of one entry. */
    public record EntryOutcome(EntryKey key, What what, Optional<StoredEntry> before, Optional<StoredEntry> after) {
        /** How it differs from what was. */
        public enum What {
            CREATED,
            REPLACED,
            UNCHANGED,
            DELETED
        }
    }
}
