package io.meridian.config.rulebook;

import java.util.List;

/**
 * What a set of changes came to.
 *
 * @param revision the rulebook's, with these changes in it
 * @param outcomes one per change, in their order; then those that followed from them
 */
public record Applied(long revision, List<Outcome> outcomes) {
    public Applied {
        outcomes = List.copyOf(outcomes);
    }
}
