package io.meridian.model.algorithm;

/**
 * A queue that drains at {@code limit} per window and holds {@code limit + burst}: what is admitted starts after what is
 * before it has drained, and the answer says in how long.
 *
 * <p>Promise: starts follow each other at no less than {@code cost x window / limit}, so at most
 * {@code limit x t / window} units and one request more start in every interval of length {@code t}; no request waits
 * longer than the queue drains. A refund or a raised limit makes room in the queue and leaves promised starts as they
 * are, so what comes after it may start beside one of them. Cost: three numbers.
 *
 * <p>Formula: admitted if {@code queued + cost <= limit + burst}; {@code delay = queued / rate}.
 */
final class LeakyBucket implements Counter {
    private final TokenBucket bucket = new TokenBucket();

    @Override
    public Outcome decide(CounterState state, Terms terms, long cost, long nowMicros) {
        return TokenBucket.decide(state, terms, cost, nowMicros, true);
    }

    @Override
    public CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros) {
        return bucket.refund(state, terms, cost, takenMicros, nowMicros);
    }
}
