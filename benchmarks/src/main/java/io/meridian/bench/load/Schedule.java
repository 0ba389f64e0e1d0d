package io.meridian.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** When requests are due, whatever becomes of them: independent callers, so the gaps are exponential. */
final class Schedule {
    private final SplittableRandom random;
    private final double meanGapNanos;
    private double dueNanos;

    Schedule(double perSecond, long seed) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("perSecond must be positive, got " + perSecond);
        }
        this.random = new SplittableRandom(seed);
        this.meanGapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** The next one's time, from the start on. */
    long nextNanos() {
        dueNanos -= Math.log(1 - random.nextDouble()) * meanGapNanos;
        return (long) dueNanos;
    }
}
