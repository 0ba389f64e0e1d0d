package io.meridian.model.algorithm;

/**
 * What a counter remembers. States are immutable, hold consumption and never the limit, and remember the latest time
 * they saw, so that a clock that steps back is answered as if it stood still.
 */
public sealed interface CounterState permits BucketDebt, CounterState.Untouched, EstimateCounts, TakenLog, WindowCount {
    /** The state of a counter nobody has taken from. A state of another algorithm counts as this one. */
    CounterState UNTOUCHED = new Untouched();

    /** The type of {@link #UNTOUCHED}. */
    record Untouched() implements CounterState {}
}
