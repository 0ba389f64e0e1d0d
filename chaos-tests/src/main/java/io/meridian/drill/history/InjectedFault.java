package io.meridian.drill.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * Typed description of a fault: the operation, and the link or process. Checkers classify faults by it; the description beside it is for
 * readers only. In JSON the field {@code of} distinguishes links from parts.
 *
 * <p>A history has only faults that the drill injects itself. The effect of a drill file's own commands and requests is unknown, so they are
 * recorded as {@link Event.ActivityEnded}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "of")
@JsonSubTypes({
    @JsonSubTypes.Type(value = InjectedFault.OfLink.class, name = "link"),
    @JsonSubTypes.Type(value = InjectedFault.OfPart.class, name = "part")
})
public sealed interface InjectedFault {
    /**
     * Fault on the link of one place to Kafka.
     *
     * @param place a region, or the sync replicas' place
     * @param direction as seen from the place
     * @param latencyMillis added one way by a delay, else 0
     * @param jitterMillis how far the latency of a delay may differ, else 0
     * @param kilobytesPerSecond what a narrowed link carries, else 0
     */
    record OfLink(
            LinkAction action,
            String place,
            Direction direction,
            long latencyMillis,
            long jitterMillis,
            long kilobytesPerSecond)
            implements InjectedFault {
        public OfLink {
            requireName("place", place);
            requireMatch("latency_millis", latencyMillis, action == LinkAction.DELAY);
            requireMatch("kilobytes_per_second", kilobytesPerSecond, action == LinkAction.BANDWIDTH);
            if (jitterMillis < 0) {
                throw new IllegalArgumentException("jitter_millis must not be negative, got " + jitterMillis);
            }
        }

        private static void requireMatch(String field, long value, boolean wanted) {
            if (wanted ? value <= 0 : value != 0) {
                throw new IllegalArgumentException(
                        "%s must be %s, got %d".formatted(field, wanted ? "positive" : "0", value));
            }
        }
    }

    /**
     * Fault on one process.
     *
     * @param part the name of the process: {@code limiter-eu-west-2}
     * @param region of a Redis or a limiter, else empty
     */
    record OfPart(PartAction action, Role role, String part, String region) implements InjectedFault {
        public OfPart {
            requireName("part", part);
            boolean regional = role == Role.REDIS || role == Role.LIMITER;
            if (regional == region.isEmpty()) {
                throw new IllegalArgumentException(
                        "region of %s must be %s, got \"%s\"".formatted(role, regional ? "given" : "absent", region));
            }
        }
    }

    /** Operation on a link. */
    enum LinkAction {
        PARTITION,
        DELAY,
        BANDWIDTH
    }

    /** Affected direction of a link. */
    enum Direction {
        TO,
        FROM,
        BOTH
    }

    /** Operation on a process. */
    enum PartAction {
        KILL,
        STOP,
        FREEZE,
        RESTART,
        WIPE
    }

    /** Role of a process. */
    enum Role {
        /** The sync replica that led the first loaded limit, and was chosen for that. */
        LEADER,
        /** Any sync replica. */
        SYNC,
        REDIS,
        LIMITER,
        KAFKA,
        POSTGRES,
        CONFIG_SERVICE
    }

    private static void requireName(String field, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(field + " must have a name, got \"" + name + "\"");
        }
    }
}
