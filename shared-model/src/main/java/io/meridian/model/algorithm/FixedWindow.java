package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.CounterState.WindowCount;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;

/**
 * Counts in windows aligned in UTC: spans and calendar months.
 *
 * <p>Promise: at most {@code limit} in every aligned window; so at most {@code 2 x limit} in any interval of a window's
 * length, reached by a burst across a boundary. Cost: two numbers.
 *
 * <p>Formula: {@code used(window(now)) + cost <= limit}.
 */
final class FixedWindow implements Counter {
    @Override
    public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
        WindowCount count = WindowCount.at(state, quota.window(), nowMicros);
        long resetMicros = quota.window().endMicros(count.startMicros());
        long free = Math.max(0, quota.capacity() - count.used());
        if (Counter.needed(cost) > free) {
            long retryMicros = Counter.needed(cost) > quota.capacity() ? Outcome.NEVER : resetMicros - nowMicros;
            return new Refused(count, new Standing(quota.capacity(), free, resetMicros), retryMicros);
        }
        return new Admitted(
                new WindowCount(count.startMicros(), count.used() + cost),
                new Standing(quota.capacity(), free - cost, resetMicros),
                0);
    }

    @Override
    public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
        WindowCount count = WindowCount.at(state, quota.window(), nowMicros);
        long endMicros = quota.window().endMicros(count.startMicros());
        return Counter.takeShare(this, state, quota, wish, horizonMicros, endMicros, nowMicros);
    }

    @Override
    public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
        WindowCount count = WindowCount.at(state, quota.window(), nowMicros);
        if (takenMicros < count.startMicros()) {
            return count;
        }
        return new WindowCount(count.startMicros(), Math.max(0, count.used() - cost));
    }
}
