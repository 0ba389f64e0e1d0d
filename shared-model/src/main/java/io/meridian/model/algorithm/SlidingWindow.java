package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;
import java.util.function.UnaryOperator;

/** Sliding windows: the sum over a log, exact or with times rounded up within sub-windows. */
final class SlidingWindow {
    private SlidingWindow() {}

    /**
     * @param taking the log, without what has expired, with the cost in it
     */
    static Outcome decide(SlidingLog log, Quota quota, long cost, long nowMicros, UnaryOperator<SlidingLog> taking) {
        long windowMicros = quota.spanMicros();
        SlidingLog counted = log.expire(log.seenMicros() - windowMicros);
        long capacity = quota.capacity();
        long free = Math.max(0, capacity - counted.used());
        long needed = Counter.needed(cost);
        if (needed <= free) {
            SlidingLog next = taking.apply(counted);
            return new Admitted(
                    next, new Standing(capacity, free - cost, resetMicros(next, windowMicros, nowMicros)), 0);
        }
        Standing standing = new Standing(capacity, free, resetMicros(counted, windowMicros, nowMicros));
        if (needed > capacity) {
            return new Refused(counted, standing, Outcome.NEVER);
        }
        long excess = counted.used() + needed - capacity;
        SlidingLog next = counted.gathered(excess);
        return new Refused(next, standing, next.timeOfOldest(excess) + windowMicros - nowMicros);
    }

    static SlidingLog refund(SlidingLog log, Quota quota, long cost, long takenMicros) {
        long expiredMicros = log.seenMicros() - quota.spanMicros();
        SlidingLog counted = log.expire(expiredMicros);
        return takenMicros <= expiredMicros ? counted : counted.giveBack(cost);
    }

    private static long resetMicros(SlidingLog log, long windowMicros, long nowMicros) {
        return log.used() == 0 ? nowMicros : log.newestMicros() + windowMicros;
    }

    /**
     * Log of the time of everything taken.
     *
     * <p>Promise: exact. At most {@code limit} in every interval of the window's length, and never less while there is
     * demand. Cost: one entry per distinct time of a request, so the limit is bounded by {@link #LIMIT_MAX}.
     *
     * <p>Formula: {@code sum(cost taken in (now - window, now]) + cost <= limit}.
     */
    static final class ExactLog implements Counter {
        static final long LIMIT_MAX = 100_000;

        @Override
        public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
            SlidingLog log = SlidingLog.at(state, nowMicros);
            long atMicros = Math.max(log.seenMicros(), log.newestMicros());
            return SlidingWindow.decide(log, quota, cost, nowMicros, counted -> counted.add(atMicros, cost));
        }

        @Override
        public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
            return SlidingWindow.refund(SlidingLog.at(state, nowMicros), quota, cost, takenMicros);
        }
    }

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
    static final class SubWindowCounter implements Counter {
        static final int SUB_WINDOWS = Algorithm.SUB_WINDOWS;

        @Override
        public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
            SlidingLog log = logAt(state, quota, nowMicros);
            return SlidingWindow.decide(
                    log, quota, cost, nowMicros, counted -> taken(counted, quota, cost, counted.seenMicros(), false));
        }

        /** Counts leased units at the end of the lease, because they may be spent until then. A lease ends no later than its sub-window. */
        @Override
        public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
            SlidingLog log = logAt(state, quota, nowMicros);
            long free = decide(state, quota, 0, nowMicros).standing().remaining();
            long units = Math.min(wish, free / TakenAhead.SHARE);
            if (units == 0) {
                return TakenAhead.none(state);
            }
            long untilMicros = Math.min(nowMicros + horizonMicros, lastMicros(log, quota) + 1);
            SlidingLog counted = log.expire(log.seenMicros() - quota.spanMicros());
            long atMicros = Math.max(log.seenMicros(), untilMicros - 1);
            return new TakenAhead(taken(counted, quota, units, atMicros, true), units, untilMicros);
        }

        private static SlidingLog taken(SlidingLog counted, Quota quota, long cost, long atMicros, boolean ahead) {
            long latestMicros = counted.used() == 0 ? atMicros : Math.max(atMicros, counted.newestMicros());
            return counted.addWithin(quota.spanMicros() / SUB_WINDOWS, latestMicros, cost, ahead);
        }

        private static SlidingLog logAt(CounterState state, Quota quota, long nowMicros) {
            SlidingLog log = SlidingLog.at(state, nowMicros);
            return log.noLaterThan(lastMicros(log, quota));
        }

        /** The last microsecond of the running sub-window. */
        private static long lastMicros(SlidingLog log, Quota quota) {
            long subWindowMicros = quota.spanMicros() / SUB_WINDOWS;
            return (Math.floorDiv(log.seenMicros(), subWindowMicros) + 1) * subWindowMicros - 1;
        }

        @Override
        public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
            return SlidingWindow.refund(SlidingLog.at(state, nowMicros), quota, cost, takenMicros);
        }
    }
}
