package io.meridian.model.algorithm;

import java.math.BigInteger;

/**
 * How fast a bucket drains, as a fraction of whole numbers: {@code limit / window = unitsPerMicro / unitsPerToken}.
 * Exact wherever {@code capacity x unitsPerToken} fits into 2^53, the whole numbers that Redis' Lua also holds exactly;
 * elsewhere rounded down, by less than one part in 3,000, so that no bucket ever drains too fast.
 */
record Rate(long unitsPerToken, long unitsPerMicro) {
    /** The largest whole number up to which doubles, the numbers of Lua, are exact. */
    static final long EXACT_MAX = 1L << 53;

    static Rate of(long limit, long capacity, long windowMicros) {
        long divisor = gcd(limit, windowMicros);
        long unitsPerToken = windowMicros / divisor;
        if (unitsPerToken <= EXACT_MAX / capacity) {
            return new Rate(unitsPerToken, limit / divisor);
        }
        long rounded = EXACT_MAX / capacity;
        long unitsPerMicro = BigInteger.valueOf(rounded)
                .multiply(BigInteger.valueOf(limit))
                .divide(BigInteger.valueOf(windowMicros))
                .longValueExact();
        return new Rate(rounded, unitsPerMicro);
    }

    /**
     * Units after a change of rate, rounded up so that no debt is forgiven, and at most {@link #EXACT_MAX}, which no
     * bucket's capacity exceeds.
     */
    long rescale(long units, long fromUnitsPerToken) {
        if (fromUnitsPerToken == unitsPerToken) {
            return units;
        }
        BigInteger[] scaled = BigInteger.valueOf(units)
                .multiply(BigInteger.valueOf(unitsPerToken))
                .divideAndRemainder(BigInteger.valueOf(fromUnitsPerToken));
        BigInteger roundedUp = scaled[0].add(BigInteger.valueOf(scaled[1].signum()));
        return roundedUp.min(BigInteger.valueOf(EXACT_MAX)).longValueExact();
    }

    /** Microseconds until {@code units} have drained. */
    long microsFor(long units) {
        return units <= 0 ? 0 : (units - 1) / unitsPerMicro + 1;
    }

    /** What is left of {@code units} after {@code elapsedMicros}. */
    long drain(long units, long elapsedMicros) {
        return elapsedMicros >= microsFor(units) ? 0 : units - elapsedMicros * unitsPerMicro;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
