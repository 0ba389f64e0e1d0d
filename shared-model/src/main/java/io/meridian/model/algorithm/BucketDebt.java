package io.meridian.model.algorithm;

/**
 * How far a bucket is from untouched, as of {@code atMicros}. Debt and not level is kept, so that raising a limit makes
 * room at once; its unit is {@code 1 / unitsPerToken} of a token, so that draining is exact in whole numbers.
 */
public record BucketDebt(long units, long unitsPerToken, long atMicros) implements CounterState {
    static BucketDebt at(CounterState state, Rate rate, long nowMicros) {
        if (!(state instanceof BucketDebt debt)) {
            return new BucketDebt(0, rate.unitsPerToken(), nowMicros);
        }
        long latestMicros = Math.max(nowMicros, debt.atMicros);
        long owed = rate.rescale(debt.units, debt.unitsPerToken);
        return new BucketDebt(rate.drain(owed, latestMicros - debt.atMicros), rate.unitsPerToken(), latestMicros);
    }

    BucketDebt plus(long moreUnits) {
        return new BucketDebt(units + moreUnits, unitsPerToken, atMicros);
    }
}
