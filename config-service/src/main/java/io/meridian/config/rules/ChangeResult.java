package io.meridian.config.rules;

import io.meridian.model.rules.RuleEntry;
import java.util.List;
import java.util.Optional;

/**
 * Result of a set of changes.
 *
 * @param revision of the rules with these changes
 * @param outcomes one per change, in their order; then those of entries that changed as a consequence
 * @param warnings texts about policies that are likely a mistake
 */
public record ChangeResult(long revision, List<EntryOutcome> outcomes, List<String> warnings) {
    public ChangeResult {
        outcomes = List.copyOf(outcomes);
        warnings = List.copyOf(warnings);
    }

    /** Result for one entry. */
    public record EntryOutcome(
            RuleEntry.Key key, Effect effect, Optional<StoredEntry> before, Optional<StoredEntry> after) {}

    /** Difference between the entry before and after. */
    public enum Effect {
        CREATED,
        REPLACED,
        UNCHANGED,
        DELETED
    }
}
