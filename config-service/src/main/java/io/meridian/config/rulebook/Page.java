package io.meridian.config.rulebook;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some entries in the order of their ids.
 *
 * @param next the id after which the next page begins, empty on the last
 * @param asOf when the copy that answered was last known to be true; empty if PostgreSQL answered
 */
public record Page(List<Stored> items, Optional<String> next, Optional<Instant> asOf) {
    public Page {
        items = List.copyOf(items);
    }

    /** Of what may be one more than a page has. */
    static Page of(List<Stored> found, int limit, Optional<Instant> asOf) {
        boolean more = found.size() > limit;
        List<Stored> items = more ? found.subList(0, limit) : found;
        return new Page(items, more ? Optional.of(items.get(limit - 1).id()) : Optional.empty(), asOf);
    }
}
