package io.meridian.drill.history;

import java.util.Objects;

/** Event of a drill's history. Times are nanoseconds since the begin of the drill, by its monotonic clock. */
public sealed interface Event {
    long atNanos();

    /** Outcome of a check for its client. */
    enum Outcome {
        ALLOWED,
        DENIED,
        /** No answer in time, or an answer that is no decision. */
        FAILED
    }

    /**
     * Check and its answer.
     *
     * @param atNanos time of sending
     * @param lateMicros delay of the sending after the due time
     * @param windowEndMicros end of the window that was charged or exhausted, in wall microseconds; 0 if the check failed
     * @param degraded whether the region decided without its Redis
     * @param gaveUp whether it failed for time: the client's timeout, an answer after the end of its window, or not sent at all because too
     *     many checks were in flight
     * @param reason of a failure; else empty
     */
    record Checked(
            long atNanos,
            long lateMicros,
            long answeredNanos,
            String region,
            String policy,
            Outcome outcome,
            long windowEndMicros,
            boolean degraded,
            boolean gaveUp,
            String reason)
            implements Event {}

    record PhaseBegan(long atNanos, Phase phase) implements Event {}

    /**
     * Begin of a fault.
     *
     * @param fault its name, which its end refers to
     * @param injected its typed description, for checkers
     * @param description its description for readers: {@code ap-south cut off from Kafka}
     */
    record FaultBegan(long atNanos, String fault, InjectedFault injected, String description) implements Event {
        public FaultBegan {
            Objects.requireNonNull(injected, "injected must be given");
        }
    }

    record FaultEnded(long atNanos, String fault) implements Event {}

    /** Change of the number of parts that the regions are in, which do not reach each other; 1 if all are connected. */
    record NetworkSplit(long atNanos, int parts) implements Event {}

    /** Change of a partition's leader; empty if it has none. */
    record LeaderObserved(long atNanos, int partition, String leader, long epoch) implements Event {}

    /**
     * Sample of a region's own measurement of the loop from usage to verdicts; NaN where it has none.
     *
     * @param silentMillis time since the region last received from its leaders
     */
    record LoopSampled(long atNanos, String region, double p99Millis, double maxMillis, double silentMillis)
            implements Event {}

    /** Usage of a region in a window, as the usage topic has it at the end of the drill. */
    record UsageReported(long atNanos, String policy, String region, long windowEndMicros, long used)
            implements Event {}

    /** All regions decide as they did before the fault. */
    record Recovered(long atNanos, String what) implements Event {}

    /** End of an activity of the drill file, and its output. */
    record ActivityEnded(long atNanos, long endedNanos, String name, String kind, boolean succeeded, String output)
            implements Event {}

    /** Phases of a drill, in order. */
    enum Phase {
        /** Load that warms up processes and caches; not judged, except for escrow. */
        WARM_UP,
        /** Load without a fault. */
        CONTROL,
        /** Load while the method runs. */
        FAULT,
        /** Load after all faults were undone. */
        RECOVERY,
        /** No load; reports of the admitted usage arrive. */
        QUIET
    }
}
