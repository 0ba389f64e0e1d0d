package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.Outcome.Admitted;

/** One client of one counter, for tests that tell a story. */
final class Client {
    private final Counter counter;
    private Quota quota;
    private CounterState state = CounterState.UNTOUCHED;

    Client(Counter counter, Quota quota) {
        this.counter = counter;
        this.quota = quota;
    }

    static Client of(Algorithm algorithm, long limit, Window window) {
        return new Client(Counters.of(algorithm), Quota.of(limit, 0, window));
    }

    void under(Quota changed) {
        quota = changed;
    }

    Outcome ask(long cost, long nowMicros) {
        Outcome outcome = counter.decide(state, quota, cost, nowMicros);
        state = outcome.next();
        return outcome;
    }

    boolean takes(long cost, long nowMicros) {
        return ask(cost, nowMicros) instanceof Admitted;
    }

    /** How many of {@code times} requests of one unit are admitted. */
    long takesOf(int times, long nowMicros) {
        long admitted = 0;
        for (int i = 0; i < times; i++) {
            admitted += takes(1, nowMicros) ? 1 : 0;
        }
        return admitted;
    }

    void refund(long cost, long takenMicros, long nowMicros) {
        state = counter.refund(state, quota, cost, takenMicros, nowMicros);
    }

    long remaining(long nowMicros) {
        return counter.decide(state, quota, 0, nowMicros).standing().remaining();
    }
}
