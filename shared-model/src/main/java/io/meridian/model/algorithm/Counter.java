package io.meridian.model.algorithm;

/** One algorithm. Time only comes in as an argument and nothing is remembered but in the state. */
interface Counter {
    Outcome decide(CounterState state, Terms terms, long cost, long nowMicros);

    CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros);

    /** What must fit for {@code cost} to be admitted: asking with zero looks for room for one. */
    static long needed(long cost) {
        return Math.max(cost, 1);
    }
}
