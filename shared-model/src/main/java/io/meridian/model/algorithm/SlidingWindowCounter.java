package io.meridian.model.algorithm;

/**
 * Counts in {@value #SUB_WINDOWS} sub-windows aligned in UTC, each remembered as of the latest time at which anything of it
 * was taken or may be spent: a log whose times are rounded up within their sub-window.
 *
 * <p>Promise: never above {@code limit} in any interval of the window's length, because nothing is forgotten before its
 * time; below what an exact log admits by less than 1 % of sustained demand, because nothing is remembered longer than a
 * hundredth of the window beyond it; exact for what is taken at one time. What was only spent, not leased ahead, is forgotten a
 * window after the newest of it at the latest, so no wait for it is longer than the window. Cost: at most
 * {@value #SUB_WINDOWS} + 2 counts with their times.
 *
 * <p>Formula: {@code sum(counts of the sub-windows whose time is in (now - window, now]) + cost <= limit}.
 */
final class SlidingWindowCounter implements Counter {
    static final int SUB_WINDOWS = 100;

    @Override
    public Outcome decide(CounterState state, Terms terms, long cost, long nowMicros) {
        TakenLog log = logAt(state, terms, nowMicros);
        return SlidingSum.decide(
                log, terms, cost, nowMicros, counted -> taken(counted, terms, cost, counted.seenMicros(), false));
    }

    /** What is taken is counted as of the end of the lease, which is not after that of its sub-window: until then it may be spent. */
    @Override
    public Ahead takeAhead(CounterState state, Terms terms, long wish, long horizonMicros, long nowMicros) {
        TakenLog log = logAt(state, terms, nowMicros);
        long free = decide(state, terms, 0, nowMicros).standing().remaining();
        long units = Math.min(wish, free / Ahead.SHARE);
        if (units == 0) {
            return Ahead.none(state);
        }
        long untilMicros = Math.min(nowMicros + horizonMicros, lastMicros(log, terms) + 1);
        TakenLog counted = log.expire(log.seenMicros() - terms.spanMicros());
        long atMicros = Math.max(log.seenMicros(), untilMicros - 1);
        return new Ahead(taken(counted, terms, units, atMicros, true), units, untilMicros);
    }

    private static TakenLog taken(TakenLog counted, Terms terms, long cost, long atMicros, boolean ahead) {
        long latestMicros = counted.used() == 0 ? atMicros : Math.max(atMicros, counted.newestMicros());
        return counted.addWithin(terms.spanMicros() / SUB_WINDOWS, latestMicros, cost, ahead);
    }

    private static TakenLog logAt(CounterState state, Terms terms, long nowMicros) {
        TakenLog log = TakenLog.at(state, nowMicros);
        return log.noLaterThan(lastMicros(log, terms));
    }

    /** The last microsecond of the running sub-window. */
    private static long lastMicros(TakenLog log, Terms terms) {
        long subWindowMicros = terms.spanMicros() / SUB_WINDOWS;
        return (Math.floorDiv(log.seenMicros(), subWindowMicros) + 1) * subWindowMicros - 1;
    }

    @Override
    public CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros) {
        return SlidingSum.refund(TakenLog.at(state, nowMicros), terms, cost, takenMicros);
    }
}
