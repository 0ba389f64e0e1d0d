package io.meridian.model.algorithm;

/**
 * Remembers the time of everything taken.
 *
 * <p>Promise: exact. At most {@code limit} in every interval of the window's length, and never less while there is
 * demand. Cost: one entry per distinct time of a request, so the limit is bounded by {@link #LIMIT_MAX}.
 *
 * <p>Formula: {@code sum(cost taken in (now - window, now]) + cost <= limit}.
 */
final class SlidingWindowLog implements Counter {
    static final long LIMIT_MAX = 100_000;

    @Override
    public Outcome decide(CounterState state, Terms terms, long cost, long nowMicros) {
        TakenLog log = TakenLog.at(state, nowMicros);
        long atMicros = Math.max(log.seenMicros(), log.newestMicros());
        return SlidingSum.decide(log, terms, cost, nowMicros, counted -> counted.add(atMicros, cost));
    }

    @Override
    public CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros) {
        return SlidingSum.refund(TakenLog.at(state, nowMicros), terms, cost, takenMicros);
    }
}
