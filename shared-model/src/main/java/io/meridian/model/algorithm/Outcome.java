package io.meridian.model.algorithm;

/** Outcome of one cost at one counter. */
public sealed interface Outcome {
    /** The {@code retryAfterMicros} of a cost above the capacity: no waiting will ever admit it. */
    long NEVER = Long.MAX_VALUE;

    /** The counter afterwards. A refusal changes only what time changes. */
    CounterState next();

    Standing standing();

    /** It fits; the request may start after {@code delayMicros}, zero but for algorithms that pace. */
    record Admitted(CounterState next, Standing standing, long delayMicros) implements Outcome {}

    /** It does not fit; it would after {@code retryAfterMicros} if nobody else takes anything until then. */
    record Refused(CounterState next, Standing standing, long retryAfterMicros) implements Outcome {}

    /**
     * A counter as its client sees it.
     *
     * @param limit what an untouched counter admits at once
     * @param remaining what still fits now, never negative
     * @param resetAtMicros when all of the limit is there again if nothing more is taken
     */
    record Standing(long limit, long remaining, long resetAtMicros) {}

    /**
     * Units taken to be spent later.
     *
     * @param next the counter afterwards
     * @param units what was taken, at most what was wished for and at most one {@link #SHARE}th of what remained
     * @param untilMicros the first microsecond at which it may no longer be spent, or the algorithm would not keep its promise
     */
    record TakenAhead(CounterState next, long units, long untilMicros) {
        /** Units held by one instance are missing at the others: never more than a small share of what remains is taken. */
        public static final long SHARE = 16;

        static TakenAhead none(CounterState state) {
            return new TakenAhead(state, 0, 0);
        }
    }
}
