package io.meridian.sync.regions;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Skew of a region's clock against the broker's, from the last five to ten seconds. A record's delay only makes the clock seem to lie further
 * back, so the largest sample is nearest to the truth.
 */
final class ClockSkew {
    private static final long BUCKET_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long NONE = Long.MIN_VALUE;

    private long currentMax = NONE;
    private long previousMax = NONE;
    private long sinceNanos;

    ClockSkew(long nowNanos) {
        sinceNanos = nowNanos;
    }

    synchronized void add(long skewMicros, long nowNanos) {
        turn(nowNanos);
        currentMax = Math.max(currentMax, skewMicros);
    }

    synchronized OptionalLong micros(long nowNanos) {
        turn(nowNanos);
        long max = Math.max(currentMax, previousMax);
        return max == NONE ? OptionalLong.empty() : OptionalLong.of(max);
    }

    private void turn(long nowNanos) {
        long elapsed = nowNanos - sinceNanos;
        if (elapsed >= BUCKET_NANOS) {
            previousMax = elapsed < 2 * BUCKET_NANOS ? currentMax : NONE;
            currentMax = NONE;
            sinceNanos += elapsed / BUCKET_NANOS * BUCKET_NANOS;
        }
    }
}
