package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.CounterState.EstimateCounts;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;

/**
 * The common two-counter interpolation: what the previous aligned window counted is assumed to be spread evenly over it.
 *
 * <p>Promise: none that an adversary cannot break. It keeps the mean at the limit for evenly spread traffic; a client
 * that bursts late in one window and early in the next gets up to twice the limit. Offered because it is the cheapest:
 * three numbers. The share of the previous window is rounded up to 1/{@value #PARTS}.
 *
 * <p>Formula: {@code previous x (window - elapsed) / window + current + cost <= limit}.
 */
final class SlidingWindowEstimate implements Counter {
    /** Small enough that every product below stays exact in the numbers of Redis' Lua. */
    static final long PARTS = Algorithm.ESTIMATE_PARTS;

    @Override
    public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
        long windowMicros = quota.spanMicros();
        EstimateCounts counts = EstimateCounts.at(state, quota.window(), windowMicros, nowMicros);
        long latestMicros = Math.max(nowMicros, counts.startMicros());
        long leftMicros = counts.startMicros() + windowMicros - latestMicros;
        long share = ceilDiv(leftMicros * PARTS, windowMicros);
        long used = counts.current() + ceilDiv(counts.previous() * share, PARTS);
        long capacity = quota.capacity();
        long free = Math.max(0, capacity - used);
        if (Counter.needed(cost) <= free) {
            EstimateCounts next = new EstimateCounts(counts.startMicros(), counts.current() + cost, counts.previous());
            return new Admitted(
                    next, new Standing(capacity, free - cost, resetMicros(next, windowMicros, nowMicros)), 0);
        }
        Standing standing = new Standing(capacity, free, resetMicros(counts, windowMicros, nowMicros));
        return new Refused(counts, standing, retryMicros(counts, quota, cost, nowMicros));
    }

    @Override
    public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
        EstimateCounts counts = EstimateCounts.at(state, quota.window(), quota.spanMicros(), nowMicros);
        long endMicros = counts.startMicros() + quota.spanMicros();
        return Counter.takeShare(this, state, quota, wish, horizonMicros, endMicros, nowMicros);
    }

    @Override
    public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
        EstimateCounts counts = EstimateCounts.at(state, quota.window(), quota.spanMicros(), nowMicros);
        if (takenMicros < counts.startMicros()) {
            boolean previous = takenMicros >= counts.startMicros() - quota.spanMicros();
            long given = previous ? Math.min(cost, counts.previous()) : 0;
            return new EstimateCounts(counts.startMicros(), counts.current(), counts.previous() - given);
        }
        return new EstimateCounts(counts.startMicros(), Math.max(0, counts.current() - cost), counts.previous());
    }

    private static long resetMicros(EstimateCounts counts, long windowMicros, long nowMicros) {
        if (counts.current() > 0) {
            return counts.startMicros() + 2 * windowMicros;
        }
        return counts.previous() > 0 ? counts.startMicros() + windowMicros : nowMicros;
    }

    /** Solves the formula for the time: in this window if the current count leaves room, else in the next. */
    private static long retryMicros(EstimateCounts counts, Quota quota, long cost, long nowMicros) {
        long needed = Counter.needed(cost);
        if (needed > quota.capacity()) {
            return Outcome.NEVER;
        }
        long windowMicros = quota.spanMicros();
        long roomNow = quota.capacity() - counts.current() - needed;
        long atMicros = roomNow >= 0
                ? fadedMicros(counts.startMicros(), windowMicros, counts.previous(), roomNow)
                : fadedMicros(
                        counts.startMicros() + windowMicros, windowMicros, counts.current(), quota.capacity() - needed);
        return atMicros - nowMicros;
    }

    /** When, in the window from {@code startMicros}, the share of {@code previous} has faded to {@code room}. */
    private static long fadedMicros(long startMicros, long windowMicros, long previous, long room) {
        long share = previous == 0 ? PARTS : Math.min(PARTS, room * PARTS / previous);
        return startMicros + windowMicros - share * windowMicros / PARTS;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
