package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.Outcome.Refused;

/** Algorithms with one mistake each, which the checks must catch. */
final class Broken {
    private Broken() {}

    /** Takes whatever is left for a request it refuses. */
    static Counter chargesRefused(Counter right) {
        return new Variant(right) {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                Outcome outcome = right.decide(state, quota, cost, nowMicros);
                if (outcome instanceof Refused refused && cost > 0) {
                    long rest = refused.standing().remaining();
                    CounterState charged =
                            right.decide(refused.next(), quota, rest, nowMicros).next();
                    return new Refused(charged, refused.standing(), refused.retryAfterMicros());
                }
                return outcome;
            }
        };
    }

    /** Sees every time {@code aheadMicros} late. */
    static Counter runsAheadBy(long aheadMicros, Counter right) {
        return new Variant(right) {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                return right.decide(state, quota, cost, nowMicros + aheadMicros);
            }
        };
    }

    /** Forgets what was taken a hundredth of the window too soon: the oldest sub-window. */
    static Counter forgetsTheOldest(Counter right) {
        return new Variant(right) {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                long subWindowMicros = Draw.lengthMicros(quota.window()) / 100;
                SlidingLog early = SlidingLog.at(state, nowMicros).expire(nowMicros - 99 * subWindowMicros);
                return right.decide(early, quota, cost, nowMicros);
            }
        };
    }

    /** Takes a unit for a question. */
    static Counter chargesPeeks(Counter right) {
        return new Variant(right) {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                return right.decide(state, quota, Math.max(1, cost), nowMicros);
            }
        };
    }

    /** Gives back what was taken last, whichever request is refunded. */
    static Counter refundsTheNewest(Counter right) {
        return new Variant(right) {
            @Override
            public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
                SlidingLog live = SlidingLog.at(state, nowMicros).expire(nowMicros - Draw.lengthMicros(quota.window()));
                SlidingLog log = live.gathered(live.used());
                SlidingLog kept = SlidingLog.EMPTY;
                for (long unit = 1; unit <= log.used() - cost; unit++) {
                    kept = kept.add(log.timeOfOldest(unit), 1);
                }
                return kept;
            }
        };
    }

    /** Gives back as if everything had been taken just now. */
    static Counter forgetsWhenItWasTaken(Counter right) {
        return new Variant(right) {
            @Override
            public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
                return right.refund(state, quota, cost, nowMicros, nowMicros);
            }
        };
    }

    /** Answers every wait with one microsecond less or more. */
    static Counter retriesOffBy(long micros, Counter right) {
        return new Variant(right) {
            @Override
            public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
                Outcome outcome = right.decide(state, quota, cost, nowMicros);
                return outcome instanceof Refused refused && refused.retryAfterMicros() != Outcome.NEVER
                        ? new Refused(refused.next(), refused.standing(), refused.retryAfterMicros() + micros)
                        : outcome;
            }
        };
    }

    /** The right algorithm, to override in one place. */
    private static class Variant implements Counter {
        private final Counter right;

        Variant(Counter right) {
            this.right = right;
        }

        @Override
        public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
            return right.decide(state, quota, cost, nowMicros);
        }

        @Override
        public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
            return right.refund(state, quota, cost, takenMicros, nowMicros);
        }
    }
}
