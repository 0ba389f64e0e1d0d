package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Random terms, asks and times, with the edges far more often than chance alone would draw them. */
final class Draw {
    private static final long[] SECONDS = {1, 1, 2, 7, 10, 60, 90, 3_600, 86_400, 31 * 86_400};
    private static final long[] LIMITS = {1, 7, 1_000, 999_999_999_989L, Quota.MAX};
    private static final long[] BURSTS = {0, 0, 1, 1_000_003, Quota.MAX};
    /** A clock that is set back further than this is not one of ours. */
    private static final long BACK_MAX_MICROS = TimeUnit.DAYS.toMicros(40);

    private Draw() {}

    static Quota terms(SplittableRandom random, Algorithm algorithm) {
        long limit = random.nextInt(3) > 0 ? smallLimit(random) : LIMITS[random.nextInt(LIMITS.length)];
        long burst = algorithm.isBucket() ? BURSTS[random.nextInt(BURSTS.length)] : 0;
        boolean monthly = algorithm == Algorithm.FIXED_WINDOW && random.nextInt(4) == 0;
        return Quota.of(Math.min(limit, algorithm.limitMax()), burst, monthly ? new Window.Month() : span(random));
    }

    private static Window.Span span(SplittableRandom random) {
        return Window.Span.ofSeconds(
                random.nextInt(4) == 0
                        ? random.nextLong(1, TimeUnit.DAYS.toSeconds(31) + 1)
                        : SECONDS[random.nextInt(SECONDS.length)]);
    }

    private static long smallLimit(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(1, 4);
            case 1 -> random.nextLong(1, 21);
            case 2 -> random.nextLong(1, 1_001);
            default -> random.nextLong(1, 100_001);
        };
    }

    static CounterRequest ask(SplittableRandom random, Limit limit, long nowMicros) {
        long cost = cost(random, limit.quota().capacity());
        long windowMicros = lengthMicros(limit.quota());
        return switch (random.nextInt(20)) {
            case 0, 1 -> new CounterRequest.Peek(limit, cost);
            case 2, 3 -> new CounterRequest.Refund(limit, cost, nowMicros - random.nextLong(-10, 2 * windowMicros));
            case 4 -> new CounterRequest.Refund(limit, cost, nowMicros - random.nextLong(1 + windowMicros / 50));
            case 5, 6 -> new CounterRequest.Charge(limit, cost, nowMicros - random.nextLong(windowMicros));
            case 7 -> random.nextInt(4) == 0 ? new CounterRequest.Reset(limit) : new CounterRequest.Peek(limit, 0);
            case 8, 9, 10, 11 -> new CounterRequest.Take(limit, cost, ahead(random, limit), horizonMicros(random));
            default -> new CounterRequest.Take(limit, cost, 0, 0);
        };
    }

    private static long ahead(SplittableRandom random, Limit limit) {
        return random.nextInt(8) == 0
                ? Long.MAX_VALUE
                : random.nextLong(-1, limit.quota().capacity() / 8 + 2);
    }

    private static long horizonMicros(SplittableRandom random) {
        return random.nextInt(4) == 0 ? random.nextLong(-1, 5_000_000) : random.nextLong(1, 100_000);
    }

    private static long cost(SplittableRandom random, long capacity) {
        return switch (random.nextInt(14)) {
            case 0 -> random.nextInt(3);
            case 1, 2, 3, 4 -> 1;
            case 5, 6, 7 -> random.nextLong(1, capacity / 4 + 2);
            case 8 -> random.nextLong(1, capacity + 1);
            case 9 -> capacity;
            case 10 -> capacity + 1;
            case 11 -> random.nextInt(10) == 0 ? Long.MAX_VALUE : capacity / 2 + 1;
            default -> random.nextLong(1, capacity / 20 + 2);
        };
    }

    /** Somewhere from 2020 to 2100. */
    static long startMicros(SplittableRandom random) {
        return random.nextLong(1_577_836_800_000_000L, 4_102_444_800_000_000L);
    }

    static long nextMicros(SplittableRandom random, long nowMicros, long latestMicros, Quota terms) {
        long windowMicros = lengthMicros(terms);
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> nowMicros;
            case 3 -> nowMicros + 1;
            case 4 -> Math.max(nowMicros, boundaryMicros(nowMicros, windowMicros) + random.nextInt(-1, 2));
            case 5 -> Math.max(nowMicros, boundaryMicros(nowMicros, windowMicros / 100) + random.nextInt(-1, 2));
            case 6 -> nowMicros + windowMicros + random.nextInt(-1, 2);
            case 7, 8, 9 -> nowMicros + random.nextLong(windowMicros / 50);
            case 10, 11 -> nowMicros + random.nextLong(windowMicros / 4);
            case 12 -> nowMicros + random.nextLong(windowMicros);
            case 13 -> nowMicros + random.nextLong(20 * windowMicros);
            case 14 -> Math.max(latestMicros - BACK_MAX_MICROS, nowMicros - random.nextLong(windowMicros));
            default -> Math.max(latestMicros - BACK_MAX_MICROS, nowMicros - random.nextLong(BACK_MAX_MICROS));
        };
    }

    /** At a moment at which something changes, or shortly before or after it. */
    static long aroundMicros(SplittableRandom random, long momentMicros) {
        return random.nextBoolean()
                ? momentMicros + random.nextInt(-2, 3)
                : momentMicros - random.nextLong(1L << random.nextInt(30));
    }

    private static long lengthMicros(Quota terms) {
        return terms.window() instanceof Window.Span span ? span.micros() : TimeUnit.DAYS.toMicros(30);
    }

    private static long boundaryMicros(long nowMicros, long lengthMicros) {
        return (Math.floorDiv(nowMicros, lengthMicros) + 1) * lengthMicros;
    }
}
