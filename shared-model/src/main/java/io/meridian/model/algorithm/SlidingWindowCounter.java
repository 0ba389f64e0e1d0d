package io.meridian.model.algorithm;

/**
 * Counts in {@value #SUB_WINDOWS} sub-windows aligned in UTC, the oldest counted whole: a log whose times are rounded up
 * to the end of their sub-window.
 *
 * <p>Promise: never above {@code limit} in any interval of the window's length, because nothing is forgotten before its
 * time; below what an exact log admits by less than 1 % of sustained demand, because nothing is remembered longer than a
 * hundredth of the window beyond it. Cost: at most {@value #SUB_WINDOWS} + 1 counts.
 *
 * <p>Formula: {@code sum(counts of the sub-windows that touch (now - window, now]) + cost <= limit}.
 */
final class SlidingWindowCounter implements Counter {
    static final int SUB_WINDOWS = 100;

    @Override
    public Outcome decide(CounterState state, Terms terms, long cost, long nowMicros) {
        TakenLog log = TakenLog.at(state, nowMicros);
        long subWindowEndMicros = subWindowEndMicros(log, terms);
        return SlidingSum.decide(log.noLaterThan(subWindowEndMicros), terms, cost, subWindowEndMicros, nowMicros);
    }

    /** What is taken is counted as of the end of its sub-window: until then it may as well be spent later. */
    @Override
    public Ahead takeAhead(CounterState state, Terms terms, long wish, long horizonMicros, long nowMicros) {
        long endMicros = subWindowEndMicros(TakenLog.at(state, nowMicros), terms);
        return Counter.takeShare(this, state, terms, wish, horizonMicros, endMicros, nowMicros);
    }

    private static long subWindowEndMicros(TakenLog log, Terms terms) {
        long subWindowMicros = terms.spanMicros() / SUB_WINDOWS;
        return (Math.floorDiv(log.seenMicros(), subWindowMicros) + 1) * subWindowMicros;
    }

    @Override
    public CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros) {
        return SlidingSum.refund(TakenLog.at(state, nowMicros), terms, cost, takenMicros);
    }
}
