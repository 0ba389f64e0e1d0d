package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.Outcome.TakenAhead;

/** The algorithms through their public door, in the form in which the checks also take broken ones. */
final class Counters {
    private Counters() {}

    static Counter of(Algorithm algorithm) {
        return new Counter() {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                return algorithm.decide(state, quota, cost, nowMicros);
            }

            @Override
            public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
                return algorithm.refund(state, quota, cost, takenMicros, nowMicros);
            }

            @Override
            public TakenAhead takeAhead(
                    CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
                return algorithm.takeAhead(state, quota, wish, horizonMicros, nowMicros);
            }
        };
    }
}
