package io.meridian.chaos.drill.verdict;

import java.util.concurrent.TimeUnit;

/** The drill's nanoseconds for readers. */
final class Seconds {
    private Seconds() {}

    /** To the millisecond. */
    static double of(long nanos) {
        return Math.round(nanos / 1e6) / (double) TimeUnit.SECONDS.toMillis(1);
    }
}
