package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import java.util.function.UnaryOperator;

/** The sum over a sliding window: what the exact log and the counter in sub-windows share. */
final class SlidingSum {
    private SlidingSum() {}

    /**
     * @param taking the log, without what has expired, with the cost in it
     */
    static Outcome decide(TakenLog log, Terms terms, long cost, long nowMicros, UnaryOperator<TakenLog> taking) {
        long windowMicros = terms.spanMicros();
        TakenLog counted = log.expire(log.seenMicros() - windowMicros);
        long capacity = terms.capacity();
        long free = Math.max(0, capacity - counted.used());
        long needed = Counter.needed(cost);
        if (needed <= free) {
            TakenLog next = taking.apply(counted);
            return new Admitted(
                    next, new Standing(capacity, free - cost, resetMicros(next, windowMicros, nowMicros)), 0);
        }
        Standing standing = new Standing(capacity, free, resetMicros(counted, windowMicros, nowMicros));
        if (needed > capacity) {
            return new Refused(counted, standing, Outcome.NEVER);
        }
        long excess = counted.used() + needed - capacity;
        TakenLog next = counted.gathered(excess);
        return new Refused(next, standing, next.timeOfOldest(excess) + windowMicros - nowMicros);
    }

    static TakenLog refund(TakenLog log, Terms terms, long cost, long takenMicros) {
        long expiredMicros = log.seenMicros() - terms.spanMicros();
        TakenLog counted = log.expire(expiredMicros);
        return takenMicros <= expiredMicros ? counted : counted.giveBack(cost);
    }

    private static long resetMicros(TakenLog log, long windowMicros, long nowMicros) {
        return log.used() == 0 ? nowMicros : log.newestMicros() + windowMicros;
    }
}
