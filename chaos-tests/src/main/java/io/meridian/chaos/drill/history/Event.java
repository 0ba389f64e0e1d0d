package io.meridian.chaos.drill.history;

import java.util.Objects;

/** One thing that happened. Times are nanoseconds since the drill began, by the drill's own monotonic clock. */
public sealed interface Event {
    long atNanos();

    /** How a check ended for its client. */
    enum Outcome {
        ALLOWED,
        DENIED,
        /** Neither: no answer in time, or one that is no decision. */
        FAILED
    }

    /**
     * A check and its answer.
     *
     * @param atNanos when it was sent
     * @param lateMicros how long before that it was due
     * @param windowEndMicros the end of the window that was charged, or found full, in wall microseconds; 0 if it failed
     * @param degraded whether the region had to decide without its Redis
     * @param gaveUp whether it failed because something took too long: the client waited no longer, the answer came after the window that was
     *     meant, or it was not sent, because too many others waited
     * @param reason why it failed; else empty
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
     * A fault is in effect from now on.
     *
     * @param fault names it for its end
     * @param injected what it is, for checkers
     * @param words the same for readers: {@code ap-south cut off from Kafka}
     */
    record FaultBegan(long atNanos, String fault, InjectedFault injected, String words) implements Event {
        public FaultBegan {
            Objects.requireNonNull(injected, "injected must be given");
        }
    }

    record FaultEnded(long atNanos, String fault) implements Event {}

    /** From now on the world is in so many parts that do not hear of each other; 1 if it is whole. */
    record WorldSplit(long atNanos, int parts) implements Event {}

    /** A replica now leads a partition; empty if none does. Told when it changes. */
    record LeaderSeen(long atNanos, int partition, String leader, long epoch) implements Event {}

    /** How the loop of a region stands by its own measure, sampled; NaN where it does not say. */
    record LoopSeen(long atNanos, String region, double p99Millis, double maxMillis, double silentMillis)
            implements Event {}

    /** What the usage topic says, in the end, that a region used of a window. */
    record UsageTold(long atNanos, String policy, String region, long windowEndMicros, long used) implements Event {}

    /** Everything that should have come back has: the world answers as it did before the fault. */
    record Recovered(long atNanos, String what) implements Event {}

    /** What the drill did, or looked at, and how that went: one activity of its file. */
    record ActivityDone(long atNanos, long endedNanos, String name, String kind, boolean succeeded, String output)
            implements Event {}
}
