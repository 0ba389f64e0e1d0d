package io.meridian.chaos.drill.file;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is done to the links of some regions to Kafka, the only ones that cross regions. The words are those of Chaos Mesh's
 * NetworkChaos.
 *
 * @param regions whose links; none for all
 * @param others the regions they are cut from; none for everybody. A link leads to Kafka and so to all others alike
 * @param one whether only the first of them is taken
 * @param direction as seen from the regions: {@code to} is what they send
 * @param latency of a delay, else zero
 * @param kilobytesPerSecond of a narrow link, else 0
 */
public record NetworkFault(
        Action action,
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
        if (action == Action.DELAY && latency.isZero()) {
            throw new IllegalArgumentException("latency of a delay must be positive, got " + latency);
        }
        if (action == Action.BANDWIDTH && kilobytesPerSecond < 1) {
            throw new IllegalArgumentException("rate of a bandwidth must be positive, got " + kilobytesPerSecond);
        }
    }

    /** What happens to a link. */
    public enum Action {
        PARTITION,
        DELAY,
        BANDWIDTH
    }

    /** Which half of a link it happens to. */
    public enum Direction {
        TO,
        FROM,
        BOTH
    }

    /** Refuses others than a link leads to: all regions but those it is about. */
    public void requireOthers(List<String> all) {
        List<String> reached =
                all.stream().filter(region -> !of(all).contains(region)).toList();
        if (!others.isEmpty() && !Set.copyOf(others).equals(Set.copyOf(reached))) {
            throw new IllegalArgumentException(
                    "target must be all other regions, which are %s, because a link leads to all of them; got %s"
                            .formatted(reached, others));
        }
    }

    /** The links it is about, of all there are. */
    public List<String> of(List<String> all) {
        List<String> wanted = regions.isEmpty() ? all : regions;
        return one ? wanted.subList(0, 1) : wanted;
    }
}
