package io.meridian.model.algorithm;

import io.meridian.model.rule.Rules;
import org.jspecify.annotations.Nullable;

/**
 * What a counter is held against: a policy's limit, burst and window after overrides and scaling. The counters
 * themselves know nothing of the limit, so changing it takes effect on the next decision in both directions.
 *
 * @param rate derived from the others; null for calendar windows, which have no constant rate
 */
public record Terms(
        long limit, long burst, Window window, @Nullable Rate rate) {
    /** The largest limit, and the largest burst: at it every product an algorithm forms is still exact. */
    public static final long MAX = 1_000_000_000_000L;

    public Terms {
        new Rules()
                .require(limit >= 1 && limit <= MAX, "limit", limit, "must be from 1 to " + MAX)
                .require(burst >= 0 && burst <= MAX, "burst", burst, "must be from 0 to " + MAX)
                .throwIfBroken();
    }

    public static Terms of(long limit, long burst, Window window) {
        Terms terms = new Terms(limit, burst, window, null);
        return window instanceof Window.Span span
                ? new Terms(limit, burst, window, Rate.of(limit, terms.capacity(), span.micros()))
                : terms;
    }

    /** What may be taken at once from an untouched counter. */
    public long capacity() {
        return limit + burst;
    }

    /** The same terms with limit and burst at {@code percent} of themselves, the limit never below 1. */
    public Terms scaled(int percent) {
        return percent == 100 ? this : of(Math.max(1, scaled(limit, percent)), scaled(burst, percent), window);
    }

    private static long scaled(long value, int percent) {
        return Math.min(MAX, value * percent / 100);
    }

    Rate drainRate() {
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
}
