package io.meridian.config.rulebook;

import java.util.List;

/**
 * What a set of changes came to.
 *
 * @param revision the rulebook's, with these changes in it
 * @param outcomes one per change, in their order; then those that followed from them
 * @param warnings what is likely a mistake, in words
 */
public record Applied(long revision, List<Outcome> outcomes, List<String> warnings) {
    public Applied {
        outcomes = List.copyOf(outcomes);
        warnings = List.copyOf(warnings);
    }
}
