package io.meridian.model.algorithm;

/** One algorithm. Time only comes in as an argument and nothing is remembered but in the state. */
interface Counter {
    Outcome decide(CounterState state, Terms terms, long cost, long nowMicros);

    CounterState refund(CounterState state, Terms terms, long cost, long takenMicros, long nowMicros);

    /**
     * Takes up to {@code wish} to be spent within {@code horizonMicros}. Nothing by default: what is spent later than it was
     * counted breaks an exact promise.
     */
    default Ahead takeAhead(CounterState state, Terms terms, long wish, long horizonMicros, long nowMicros) {
        return Ahead.none(state);
    }

    /** Takes a share of what is free under an algorithm that counts what is taken anywhere in a period alike. */
    static Ahead takeShare(
            Counter counter,
            CounterState state,
            Terms terms,
            long wish,
            long horizonMicros,
            long periodEndMicros,
            long nowMicros) {
        long free = counter.decide(state, terms, 0, nowMicros).standing().remaining();
        long units = Math.min(wish, free / Ahead.SHARE);
        if (units == 0) {
            return Ahead.none(state);
        }
        CounterState next = counter.decide(state, terms, units, nowMicros).next();
        return new Ahead(next, units, Math.min(nowMicros + horizonMicros, periodEndMicros));
    }

    /** What must fit for {@code cost} to be admitted: asking with zero looks for room for one. */
    static long needed(long cost) {
        return Math.max(cost, 1);
    }
}
