package io.meridian.model.algorithm;

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
final class Gcra implements Counter {
    private final TokenBucket bucket = new TokenBucket();

    @Override
    public Outcome decide(CounterState state, Terms terms, long cost, long nowMicros) {
        return bucket.decide(state, terms, cost, nowMicros);
    }

    @Override
    public Ahead takeAhead(CounterState state, Terms terms, long wish, long horizonMicros, long nowMicros) {
        return bucket.takeAhead(state, terms, wish, horizonMicros, nowMicros);
    }

    @Override
    public CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros) {
        return bucket.refund(state, terms, cost, takenMicros, nowMicros);
    }
}
