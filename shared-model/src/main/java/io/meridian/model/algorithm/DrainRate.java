package io.meridian.model.algorithm;

import java.math.BigInteger;

/**
 * Drain rate of a bucket: {@code unitsPerTick} every {@code tickMicros}, a token being {@code unitsPerToken}. Exact, with
 * ticks of one microsecond, wherever {@code capacity x unitsPerToken} fits into 2^53, the whole numbers that Redis' Lua
 * also holds exactly; elsewhere rounded down, by less than one part in {@value #PARTS}, so that no bucket ever drains too
 * fast.
 */
public record DrainRate(long unitsPerToken, long unitsPerTick, long tickMicros) {
    /** The largest whole number up to which doubles, the numbers of Lua, are exact. As microseconds, 285 years. */
    public static final long EXACT_MAX = 1L << 53;

    /** The longest time that is returned, 71 years: added to a time of today it is still exact. */
    public static final long MICROS_MAX = 1L << 51;

    static final long PARTS = 4096;

    static DrainRate of(long limit, long capacity, long windowMicros) {
        long divisor = gcd(limit, windowMicros);
        long unitsPerToken = windowMicros / divisor;
        if (unitsPerToken <= EXACT_MAX / capacity) {
            return new DrainRate(unitsPerToken, limit / divisor, 1);
        }
        return rounded(EXACT_MAX / capacity, limit, windowMicros);
    }

    /** Either side of the fraction is made at least {@link #PARTS}, for the other is rounded by at most one. */
    private static DrainRate rounded(long unitsPerToken, long limit, long windowMicros) {
        long unitsPerWindow = unitsPerToken * limit;
        if (unitsPerWindow >= windowMicros) {
            long tickMicros = ceilDiv(PARTS * windowMicros, unitsPerWindow);
            return new DrainRate(unitsPerToken, tickMicros * unitsPerWindow / windowMicros, tickMicros);
        }
        long unitsPerTick = ceilDiv(PARTS * unitsPerWindow, windowMicros);
        return new DrainRate(unitsPerToken, unitsPerTick, ceilDiv(unitsPerTick * windowMicros, unitsPerWindow));
    }

    /**
     * Units after a change of rate, rounded up, and at most {@link #EXACT_MAX}, which no bucket's capacity exceeds: a debt
     * that a deep cut of the limit turns into more than that keeps the bucket empty, and what is beyond is forgiven.
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

    /** Microseconds until {@code units} have drained, at most {@link #MICROS_MAX}. */
    long microsFor(long units) {
        long ticks = ceilDiv(Math.max(0, units), unitsPerTick);
        return ticks > MICROS_MAX / tickMicros ? MICROS_MAX : ticks * tickMicros;
    }

    /** Rest of {@code units} after {@code elapsedMicros}. */
    long drain(long units, long elapsedMicros) {
        long ticks = elapsedMicros / tickMicros;
        return ticks >= ceilDiv(units, unitsPerTick) ? 0 : units - ticks * unitsPerTick;
    }

    /** The most that drains within any {@code intervalMicros}, which may begin within a tick. */
    long drained(long intervalMicros) {
        return (intervalMicros / tickMicros + 1) * unitsPerTick;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return dividend == 0 ? 0 : (dividend - 1) / divisor + 1;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
