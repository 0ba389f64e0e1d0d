package io.meridian.model.algorithm;

/**
 * What was taken to be spent later.
 *
 * @param next the counter afterwards
 * @param units what was taken, at most what was wished for and at most one {@link #SHARE}th of what remained
 * @param untilMicros the first microsecond at which it may no longer be spent, or the algorithm would not keep its promise
 */
public record Ahead(CounterState next, long units, long untilMicros) {
    /** What is held somewhere is missing elsewhere: never more than a small share of what remains is. */
    static final long SHARE = 16;

    static Ahead none(CounterState state) {
        return new Ahead(state, 0, 0);
    }
}
