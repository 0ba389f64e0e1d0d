package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Outcome.TakenAhead;
import java.util.Locale;

/** Counting algorithms. Each is a pure function; its class states what it promises and by which formula. */
public enum Algorithm {
    FIXED_WINDOW(new FixedWindow()),
    SLIDING_WINDOW_LOG(new SlidingWindow.ExactLog()),
    SLIDING_WINDOW_COUNTER(new SlidingWindow.SubWindowCounter()),
    SLIDING_WINDOW_ESTIMATE(new SlidingWindowEstimate()),
    TOKEN_BUCKET(new TokenBucket()),
    LEAKY_BUCKET(new TokenBucket.LeakyBucket()),
    GCRA(new TokenBucket.Gcra());

    /** Parts of the window before to which {@link #SLIDING_WINDOW_ESTIMATE} rounds its share. */
    public static final long ESTIMATE_PARTS = 2048;
    /** Parts of a window that {@link #SLIDING_WINDOW_COUNTER} counts on their own. */
    public static final int SUB_WINDOWS = 100;

    private final Counter counter;

    Algorithm(Counter counter) {
        this.counter = counter;
    }

    /**
     * Whether {@code cost} fits, and the counter after it was taken. A cost of zero evaluates what a cost of one would get and
     * takes nothing.
     */
    public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
        if (cost < 0) {
            throw new IllegalArgumentException("cost must not be negative, got " + cost);
        }
        return counter.decide(state, quota, cost, nowMicros);
    }

    /**
     * The counter with up to {@code cost} less of what was taken at {@code takenMicros}. Gives back only what is still
     * counted, so that a refund never creates quota and one window never pays for another. That is exact under the quota
     * it was taken under; after a change of quota, what is given back is judged by the new one.
     */
    public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
        if (cost < 0) {
            throw new IllegalArgumentException("cost must not be negative, got " + cost);
        }
        return counter.refund(state, quota, cost, Math.min(takenMicros, nowMicros), nowMicros);
    }

    /**
     * Takes up to {@code wish} to be spent within {@code horizonMicros}, as much as leaves plenty for others. Nothing under
     * algorithms that promise the exact time of every unit.
     */
    public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
        return wish <= 0 || horizonMicros <= 0
                ? TakenAhead.none(state)
                : counter.takeAhead(state, quota, wish, horizonMicros, nowMicros);
    }

    /** Whether what is taken may be spent later, so that a lease ahead of demand makes sense. */
    public boolean leasesAhead() {
        return leasesPerWindow() > 0;
    }

    /**
     * The share of a window, one part of so many, for which a lease may be held; 0 for never. A sub-window is a hundredth,
     * and a bucket's deposit may cost a hundredth of its limit; what counts alike anywhere in a window is held back from
     * others for a tenth at most.
     */
    public long leasesPerWindow() {
        return switch (this) {
            case FIXED_WINDOW, SLIDING_WINDOW_ESTIMATE -> 10;
            case SLIDING_WINDOW_COUNTER, TOKEN_BUCKET, GCRA -> 100;
            case SLIDING_WINDOW_LOG, LEAKY_BUCKET -> 0;
        };
    }

    /** The largest limit it counts to; what remembers every request is bounded by memory. */
    public long limitMax() {
        return this == SLIDING_WINDOW_LOG ? SlidingWindow.ExactLog.LIMIT_MAX : Quota.MAX;
    }

    /** Whether the algorithm counts in aligned windows, which alone can follow the calendar and be held in escrow. */
    public boolean isWindowed() {
        return this == FIXED_WINDOW;
    }

    /** Whether the algorithm drains at a rate and so has a use for a burst. */
    public boolean isBucket() {
        return this == TOKEN_BUCKET || this == LEAKY_BUCKET || this == GCRA;
    }

    /** The name in policies: {@code fixed_window}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Implementation of one algorithm. Time only comes in as an argument and nothing is remembered but in the state. */
    interface Counter {
        Outcome decide(CounterState state, Quota quota, long cost, long nowMicros);

        CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros);

        /**
         * Takes up to {@code wish} to be spent within {@code horizonMicros}. Nothing by default: what is spent later than it was
         * counted breaks an exact promise.
         */
        default TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
            return TakenAhead.none(state);
        }

        /** Takes a share of what is free under an algorithm that counts what is taken anywhere in a period alike. */
        static TakenAhead takeShare(
                Counter counter,
                CounterState state,
                Quota quota,
                long wish,
                long horizonMicros,
                long periodEndMicros,
                long nowMicros) {
            long free = counter.decide(state, quota, 0, nowMicros).standing().remaining();
            long units = Math.min(wish, free / TakenAhead.SHARE);
            if (units == 0) {
                return TakenAhead.none(state);
            }
            CounterState next = counter.decide(state, quota, units, nowMicros).next();
            return new TakenAhead(next, units, Math.min(nowMicros + horizonMicros, periodEndMicros));
        }

        /** Free units required to admit {@code cost}: max(cost, 1), so a cost of zero needs one free unit. */
        static long needed(long cost) {
            return Math.max(cost, 1);
        }
    }
}
