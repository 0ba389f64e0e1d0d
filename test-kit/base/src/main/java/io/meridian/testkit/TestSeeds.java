package io.meridian.testkit;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Source of randomness for tests. The first seed is {@code -Dmeridian.seed} where it is given, else the day of the build times a
 * million ({@code 20260131000000} on 31 January 2026), so that every day plays seeds of its own and a failure of today can be
 * repeated today without any setting.
 *
 * <p>Negative controls, which must find a removed guard, use {@link #KNOWN}: a control that fails by chance proves nothing.
 */
public final class TestSeeds {
    /** First seed of negative controls, the same every day. */
    public static final long KNOWN = 20_260_101L;

    /** Seeds of one day, and the digits of a build timestamp ({@code yyyyMMddHHmmss}) that are its time of day. */
    static final long SEEDS_PER_DAY = 1_000_000;

    private static final long FIRST = first(System.getProperty("meridian.seed"), System.getProperty("meridian.build"));
    private static final AtomicLong PLAYED = new AtomicLong();

    private TestSeeds() {}

    /** First seed of this build. A test that draws from one seed alone uses this one. */
    public static long first() {
        PLAYED.incrementAndGet();
        return FIRST;
    }

    /** First seed of a test that plays {@code count} seeds by itself. */
    public static long first(long count) {
        PLAYED.addAndGet(count);
        return FIRST;
    }

    /** Calls the check once per seed; a failure names the property that repeats it. */
    public static void forEachHistory(int histories, Consumer<SplittableRandom> check) {
        forEachHistory(first(histories), histories, check);
    }

    /** The same from {@link #KNOWN} on, for negative controls. */
    public static void forEachKnownHistory(int histories, Consumer<SplittableRandom> check) {
        forEachHistory(KNOWN, histories, check);
    }

    private static void forEachHistory(long first, int histories, Consumer<SplittableRandom> check) {
        for (long seed = first; seed < first + histories; seed++) {
            try {
                check.accept(new SplittableRandom(seed));
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Dmeridian.seed=" + seed + " replays: " + failure, failure);
            }
        }
    }

    static long played() {
        return PLAYED.get();
    }

    static long base() {
        return FIRST;
    }

    /** An IDE sets neither property and plays the known seeds. */
    static long first(@Nullable String seed, @Nullable String build) {
        if (seed != null && !seed.isBlank()) {
            return number("meridian.seed", seed);
        }
        if (build == null || build.isBlank()) {
            return KNOWN;
        }
        long timestamp = number("meridian.build", build);
        return timestamp - timestamp % SEEDS_PER_DAY;
    }

    private static long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, got " + value, e);
        }
    }
}
