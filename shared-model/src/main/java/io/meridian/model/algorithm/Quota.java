package io.meridian.model.algorithm;

import io.meridian.model.validation.Validator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Quota of a counter: a policy's limit, burst and window after overrides and scaling. The counters
 * themselves do not know the limit, so changing it takes effect on the next decision in both directions.
 */
public final class Quota {
    /** The largest limit, and the largest burst: at it every product an algorithm forms is still exact. */
    public static final long MAX = 1_000_000_000_000L;

    private final long limit;
    private final long burst;
    private final Window window;
    private final @Nullable DrainRate rate;

    private Quota(long limit, long burst, Window window) {
        new Validator()
                .require(limit >= 1 && limit <= MAX, "limit", limit, "must be from 1 to " + MAX)
                .require(burst >= 0 && burst <= MAX, "burst", burst, "must be from 0 to " + MAX)
                .throwIfInvalid();
        this.limit = limit;
        this.burst = burst;
        this.window = window;
        this.rate = window instanceof Window.Span span ? DrainRate.of(limit, limit + burst, span.micros()) : null;
    }

    public static Quota of(long limit, long burst, Window window) {
        return new Quota(limit, burst, window);
    }

    public long limit() {
        return limit;
    }

    public long burst() {
        return burst;
    }

    public Window window() {
        return window;
    }

    /** Units that may be taken at once from an untouched counter. */
    public long capacity() {
        return limit + burst;
    }

    /** Rate at which a bucket of this quota drains. */
    public DrainRate drainRate() {
        if (rate == null) {
            throw new IllegalStateException("a bucket cannot drain over a calendar window");
        }
        return rate;
    }

    long spanMicros() {
        if (window instanceof Window.Span span) {
            return span.micros();
        }
        throw new IllegalStateException("a sliding window cannot have a calendar length");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof Quota quota
                        && limit == quota.limit
                        && burst == quota.burst
                        && window.equals(quota.window));
    }

    @Override
    public int hashCode() {
        return Objects.hash(limit, burst, window);
    }

    @Override
    public String toString() {
        return limit + " per " + window + (burst == 0 ? "" : " and a burst of " + burst);
    }
}
