package io.meridian.model.algorithm;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Random quota, costs and times, with the edges far more often than chance alone would draw them. */
final class Draw {
    private static final long[] COMMON_SECONDS = {1, 1, 2, 7, 10, 60, 90, 3_600, 86_400, 31 * 86_400};

    private Draw() {}

    static Quota quota(SplittableRandom random, Algorithm algorithm) {
        return algorithm.isBucket() ? bucketTerms(random) : Quota.of(limit(random), 0, span(random));
    }

    /** Quota of a bucket whose drain is exact in whole numbers up to 2^53. */
    static Quota bucketTerms(SplittableRandom random) {
        while (true) {
            long limit = limit(random);
            long burst = random.nextBoolean() ? 0 : random.nextLong(2 * limit + 1);
            Window.Span span = span(random);
            if (isExact(limit, burst, span.micros())) {
                return Quota.of(limit, burst, span);
            }
        }
    }

    static boolean isExact(long limit, long burst, long windowMicros) {
        BigInteger window = BigInteger.valueOf(windowMicros);
        BigInteger units = window.divide(window.gcd(BigInteger.valueOf(limit)));
        return units.multiply(BigInteger.valueOf(limit + burst)).bitLength() <= 53;
    }

    static Window.Span span(SplittableRandom random) {
        return Window.Span.ofSeconds(
                random.nextInt(4) == 0
                        ? random.nextLong(1, TimeUnit.DAYS.toSeconds(31) + 1)
                        : COMMON_SECONDS[random.nextInt(COMMON_SECONDS.length)]);
    }

    static long limit(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(1, 4);
            case 1 -> random.nextLong(1, 21);
            case 2 -> random.nextLong(1, 1_001);
            default -> random.nextLong(1, 100_001);
        };
    }

    static long cost(SplittableRandom random, long capacity) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1, 2, 3 -> 1;
            case 4, 5, 6 -> random.nextLong(1, capacity / 4 + 2);
            case 7 -> random.nextLong(1, capacity + 1);
            case 8 -> capacity;
            case 9 -> capacity + 1;
            case 10 -> random.nextInt(10) == 0 ? Long.MAX_VALUE : capacity / 2 + 1;
            default -> random.nextLong(1, capacity / 20 + 2);
        };
    }

    /** Somewhere from 1938 to 2065, half of the time next to a window's boundary. */
    static long startMicros(SplittableRandom random, long windowMicros) {
        long anyMicros = random.nextLong(-1_000_000_000_000_000L, 3_000_000_000_000_000L);
        return random.nextBoolean() ? anyMicros : boundaryMicros(anyMicros, windowMicros) + random.nextInt(-1, 2);
    }

    static long laterMicros(SplittableRandom random, long nowMicros, long windowMicros) {
        return switch (random.nextInt(14)) {
            case 0, 1, 2 -> nowMicros;
            case 3 -> nowMicros + 1;
            case 4 -> Math.max(nowMicros, boundaryMicros(nowMicros, windowMicros) + random.nextInt(-1, 2));
            case 5 -> Math.max(nowMicros, boundaryMicros(nowMicros, windowMicros / 100) + random.nextInt(-1, 2));
            case 6 -> nowMicros + windowMicros + random.nextInt(-1, 2);
            case 7, 8, 9 -> nowMicros + random.nextLong(windowMicros / 50);
            case 10, 11 -> nowMicros + random.nextLong(windowMicros / 4);
            case 12 -> nowMicros + random.nextLong(windowMicros);
            default -> nowMicros + random.nextLong(20 * windowMicros);
        };
    }

    static long lengthMicros(Window window) {
        return window instanceof Window.Span span ? span.micros() : TimeUnit.DAYS.toMicros(30);
    }

    /** The first multiple of {@code lengthMicros} after {@code nowMicros}. */
    private static long boundaryMicros(long nowMicros, long lengthMicros) {
        return (Math.floorDiv(nowMicros, lengthMicros) + 1) * lengthMicros;
    }
}
