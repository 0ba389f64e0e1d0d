package io.meridian.limiter.metrics;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long answers have been degraded: the seconds in which at least one was. So a region that flips to and fro many times a
 * second counts as degraded throughout, and one that nobody asks as not.
 */
final class DegradedTime {
    private static final long RECENT_SECONDS = 10;
    private static final long NEVER = Long.MIN_VALUE;

    private final TimeSource time;
    private final AtomicLong last = new AtomicLong(NEVER);
    private final LongAdder seconds = new LongAdder();

    DegradedTime(TimeSource time) {
        this.time = time;
    }

    /** An answer was degraded. */
    void answered() {
        long now = nowSeconds();
        long before = last.get();
        if (now != before && last.compareAndSet(before, now)) {
            seconds.increment();
        }
    }

    long seconds() {
        return seconds.sum();
    }

    /** Whether an answer of the last ten seconds was degraded. */
    boolean isNow() {
        long before = last.get();
        return before != NEVER && nowSeconds() - before < RECENT_SECONDS;
    }

    private long nowSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(time.monotonicNanos());
    }
}
