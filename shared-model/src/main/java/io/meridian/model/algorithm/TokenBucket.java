package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.CounterState.BucketDebt;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;

/**
 * A bucket of {@code limit + burst} tokens that fills at {@code limit} per window.
 *
 * <p>Promise: at most {@code limit + burst + limit x t / window} in every interval of length {@code t}. Tokens accrue in
 * whole fractions, exactly wherever {@link DrainRate} is exact, and elsewhere too slowly by less than one part in 4096. Cost: three numbers.
 *
 * <p>Formula: {@code max(0, debt - elapsed x rate) + cost <= limit + burst}.
 */
final class TokenBucket implements Counter {
    @Override
    public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
        return decide(state, quota, cost, nowMicros, false);
    }

    /**
     * @param paced whether what is admitted waits until everything before it has drained
     */
    static Outcome decide(CounterState state, Quota quota, long cost, long nowMicros, boolean paced) {
        DrainRate rate = quota.drainRate();
        long capacity = quota.capacity();
        long capacityUnits = capacity * rate.unitsPerToken();
        BucketDebt debt = BucketDebt.at(state, rate, nowMicros);
        long waitedMicros = debt.atMicros() - nowMicros;
        long needed = Counter.needed(cost);
        if (needed > capacity) {
            return new Refused(debt, standing(debt, rate, capacity), Outcome.NEVER);
        }
        // In this order no sum exceeds what doubles hold exactly.
        long excess = needed * rate.unitsPerToken() - (capacityUnits - debt.units());
        if (excess > 0) {
            return new Refused(debt, standing(debt, rate, capacity), waitedMicros + rate.microsFor(excess));
        }
        BucketDebt next = debt.take(cost * rate.unitsPerToken(), rate, nowMicros);
        long delayMicros = paced ? waitedMicros + rate.microsFor(debt.units()) : 0;
        return new Admitted(next, standing(next, rate, capacity), delayMicros);
    }

    /**
     * Takes a share of what is free beyond a deposit: the debt is first lifted to what drains within the horizon. What is
     * spent in an interval was taken in it or at most a horizon before it, and while it was held no more than the deposit
     * can have drained: so the promise holds to the unit, and a busy bucket admits less at once by its deposit.
     */
    @Override
    public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
        DrainRate rate = quota.drainRate();
        BucketDebt debt = BucketDebt.at(state, rate, nowMicros).atLeast(rate.drained(horizonMicros));
        long freeUnits = quota.capacity() * rate.unitsPerToken() - debt.units();
        long tokens = Math.min(wish, Math.max(0, freeUnits) / rate.unitsPerToken() / TakenAhead.SHARE);
        if (tokens == 0) {
            return TakenAhead.none(state);
        }
        BucketDebt next = debt.take(tokens * rate.unitsPerToken(), rate, nowMicros);
        return new TakenAhead(next, tokens, nowMicros + horizonMicros);
    }

    /**
     * Gives back what cannot have drained since {@code takenMicros} even if nothing was before it: had it never been taken,
     * the debt would be lower by at least that much.
     */
    @Override
    public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
        DrainRate rate = quota.drainRate();
        BucketDebt debt = BucketDebt.at(state, rate, nowMicros);
        long tokens = Math.min(cost, quota.capacity());
        long undrained = rate.drain(tokens * rate.unitsPerToken(), debt.atMicros() - takenMicros);
        return debt.giveBack(undrained);
    }

    private static Standing standing(BucketDebt debt, DrainRate rate, long capacity) {
        long freeUnits = Math.max(0, capacity * rate.unitsPerToken() - debt.units());
        long resetMicros = debt.atMicros() + rate.microsFor(debt.units());
        return new Standing(capacity, freeUnits / rate.unitsPerToken(), resetMicros);
    }

    /**
     * A queue that drains at {@code limit} per window and holds {@code limit + burst}: what is admitted starts after what is
     * before it has drained, and the outcome has the delay.
     *
     * <p>Promise: starts follow each other at no less than {@code cost x window / limit}, so at most
     * {@code limit x t / window} units and one request more start in every interval of length {@code t}; no request waits
     * longer than the queue drains. A refund or a raised limit makes room in the queue and leaves promised starts as they
     * are, so what comes after it may start beside one of them. Cost: three numbers.
     *
     * <p>Formula: admitted if {@code queued + cost <= limit + burst}; {@code delay = queued / rate}.
     */
    static final class LeakyBucket implements Counter {
        private final TokenBucket bucket = new TokenBucket();

        @Override
        public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
            return TokenBucket.decide(state, quota, cost, nowMicros, true);
        }

        @Override
        public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
            return bucket.refund(state, quota, cost, takenMicros, nowMicros);
        }
    }

    /**
     * The generic cell rate algorithm: a schedule on which one unit is due every {@code window / limit}, and a request may
     * come up to {@code limit + burst - 1} units early.
     *
     * <p>Promise: that of the token bucket, of which it is the other form: the theoretical arrival time is the instant at
     * which the bucket's debt has drained, {@code TAT = at + debt / rate}. It is kept as debt and not as a time, because a
     * time cannot hold the fractions of a microsecond that high limits need. Cost: three numbers.
     *
     * <p>Formula: {@code max(TAT, now) + cost x interval - now <= (limit + burst) x interval}.
     */
    static final class Gcra implements Counter {
        private final TokenBucket bucket = new TokenBucket();

        @Override
        public Outcome decide(CounterState state, Quota quota, long cost, long nowMicros) {
            return bucket.decide(state, quota, cost, nowMicros);
        }

        @Override
        public TakenAhead takeAhead(CounterState state, Quota quota, long wish, long horizonMicros, long nowMicros) {
            return bucket.takeAhead(state, quota, wish, horizonMicros, nowMicros);
        }

        @Override
        public CounterState refund(CounterState state, Quota quota, long cost, long takenMicros, long nowMicros) {
            return bucket.refund(state, quota, cost, takenMicros, nowMicros);
        }
    }
}
