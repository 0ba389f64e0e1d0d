package io.meridian.model.algorithm;

/**
 * State of a counter. States are immutable, hold consumption and never the limit, and remember the latest time
 * they saw, so that a clock that steps back is answered as if it stood still.
 */
public sealed interface CounterState
        permits CounterState.BucketDebt,
                CounterState.EstimateCounts,
                CounterState.Untouched,
                CounterState.WindowCount,
                SlidingLog {
    /** The state of a counter nobody has taken from. A state of another algorithm counts as this one. */
    CounterState UNTOUCHED = new Untouched();

    /** The type of {@link #UNTOUCHED}. */
    record Untouched() implements CounterState {}

    /** Count of the aligned window that starts at {@code startMicros}. */
    record WindowCount(long startMicros, long used) implements CounterState {
        /** The count of the window that holds the later of {@code nowMicros} and the state's own time. */
        static WindowCount at(CounterState state, Window window, long nowMicros) {
            if (!(state instanceof WindowCount count)) {
                return new WindowCount(window.startMicros(nowMicros), 0);
            }
            long startMicros = window.startMicros(Math.max(nowMicros, count.startMicros));
            return new WindowCount(startMicros, count.startMicros >= startMicros ? count.used : 0);
        }
    }

    /** Counts of the aligned window that starts at {@code startMicros} and of the one before it. */
    record EstimateCounts(long startMicros, long current, long previous) implements CounterState {
        /** The counts of the window that holds the later of {@code nowMicros} and the state's own time. */
        static EstimateCounts at(CounterState state, Window window, long windowMicros, long nowMicros) {
            if (!(state instanceof EstimateCounts counts)) {
                return new EstimateCounts(window.startMicros(nowMicros), 0, 0);
            }
            long startMicros = window.startMicros(Math.max(nowMicros, counts.startMicros));
            if (counts.startMicros >= startMicros) {
                return new EstimateCounts(startMicros, counts.current, counts.previous);
            }
            boolean adjacent = counts.startMicros >= startMicros - windowMicros;
            return new EstimateCounts(startMicros, 0, adjacent ? counts.current : 0);
        }
    }

    /**
     * Debt of a bucket, its distance from untouched, as of {@code atMicros}. Debt and not level is kept, so that raising a limit makes
     * room at once; its unit is {@code 1 / unitsPerToken} of a token, so that draining is exact in whole numbers. While there
     * is debt its time moves on by whole ticks, so that asking often does not keep it from draining.
     */
    record BucketDebt(long units, long unitsPerToken, long atMicros) implements CounterState {
        static BucketDebt at(CounterState state, DrainRate rate, long nowMicros) {
            if (!(state instanceof BucketDebt debt)) {
                return new BucketDebt(0, rate.unitsPerToken(), nowMicros);
            }
            long latestMicros = Math.max(nowMicros, debt.atMicros);
            long owed = rate.rescale(debt.units, debt.unitsPerToken);
            long left = rate.drain(owed, latestMicros - debt.atMicros);
            long partMicros = left == 0 ? 0 : (latestMicros - debt.atMicros) % rate.tickMicros();
            return new BucketDebt(left, rate.unitsPerToken(), latestMicros - partMicros);
        }

        /** The debt with more taken now; a rest that is gone within this tick pays for nothing that is taken in it. */
        BucketDebt take(long moreUnits, DrainRate rate, long nowMicros) {
            boolean ending = moreUnits > 0 && units <= rate.unitsPerTick();
            return new BucketDebt(units + moreUnits, unitsPerToken, ending ? Math.max(nowMicros, atMicros) : atMicros);
        }

        BucketDebt atLeast(long minUnits) {
            return new BucketDebt(Math.max(units, minUnits), unitsPerToken, atMicros);
        }

        BucketDebt giveBack(long fewerUnits) {
            return new BucketDebt(units - Math.min(units, fewerUnits), unitsPerToken, atMicros);
        }
    }
}
