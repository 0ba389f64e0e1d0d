package io.meridian.model.algorithm;

/**
 * How far a bucket is from untouched, as of {@code atMicros}. Debt and not level is kept, so that raising a limit makes
 * room at once; its unit is {@code 1 / unitsPerToken} of a token, so that draining is exact in whole numbers. While there
 * is debt its time moves on by whole ticks, so that asking often does not keep it from draining.
 */
public record BucketDebt(long units, long unitsPerToken, long atMicros) implements CounterState {
    static BucketDebt at(CounterState state, Rate rate, long nowMicros) {
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
    BucketDebt take(long moreUnits, Rate rate, long nowMicros) {
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
