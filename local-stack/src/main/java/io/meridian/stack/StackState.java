package io.meridian.stack;

import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.plan.PartNames;
import java.util.List;

/**
 * What runs, as far as its supervisor has written it down.
 *
 * @param ready whether the start was complete
 * @param faultsAddress the API of the fault proxies, which live in the supervisor
 */
public record StackState(ProcessIdentity supervisor, boolean ready, String faultsAddress, List<PartState> parts) {
    public StackState {
        parts = List.copyOf(parts);
    }

    /** The regions that it has, by their Redises. */
    public List<String> regions() {
        return parts.stream()
                .flatMap(part -> PartNames.regionOfRedis(part.name()).stream())
                .toList();
    }
}
