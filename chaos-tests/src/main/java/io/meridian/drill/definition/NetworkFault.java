package io.meridian.drill.definition;

import io.meridian.drill.history.InjectedFault.Direction;
import io.meridian.drill.history.InjectedFault.LinkAction;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Fault on the links of regions to Kafka, the only links that cross regions. The vocabulary is that of Chaos Mesh's NetworkChaos.
 *
 * @param regions whose links are faulted; empty for all
 * @param others the regions that these are cut from; empty for all others. A link leads to Kafka, and so to all others alike
 * @param one whether only the first of the regions is faulted
 * @param direction as seen from the regions: {@code to} is their outgoing traffic
 * @param latency of a delay, else zero
 * @param kilobytesPerSecond of a bandwidth fault, else 0
 */
public record NetworkFault(
        LinkAction action,
        List<String> regions,
        List<String> others,
        boolean one,
        Direction direction,
        Duration latency,
        Duration jitter,
        long kilobytesPerSecond) {
    public NetworkFault {
        regions = List.copyOf(regions);
        others = List.copyOf(others);
        if (action == LinkAction.DELAY && latency.isZero()) {
            throw new IllegalArgumentException("latency of a delay must be positive, got " + latency);
        }
        if (action == LinkAction.BANDWIDTH && kilobytesPerSecond < 1) {
            throw new IllegalArgumentException("rate of a bandwidth must be positive, got " + kilobytesPerSecond);
        }
    }

    /** Refuses a target other than the whole other side of the link, which is all regions but the faulted ones. */
    public void requireOthers(List<String> all) {
        List<String> reached =
                all.stream().filter(region -> !of(all).contains(region)).toList();
        if (!others.isEmpty() && !Set.copyOf(others).equals(Set.copyOf(reached))) {
            throw new IllegalArgumentException(
                    "target must be all other regions, which are %s, because a link leads to all of them; got %s"
                            .formatted(reached, others));
        }
    }

    /** The faulted regions, of all regions. */
    public List<String> of(List<String> all) {
        List<String> wanted = regions.isEmpty() ? all : regions;
        return one ? wanted.subList(0, 1) : wanted;
    }
}
