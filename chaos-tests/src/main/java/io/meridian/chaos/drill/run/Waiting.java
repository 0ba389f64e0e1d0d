package io.meridian.chaos.drill.run;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for conditions and times, always with a deadline, and ends when the thread is interrupted. */
record Waiting(TimeSource time) {
    private static final int POLL_MILLIS = 5;

    /** Whether it came to hold in time. */
    boolean until(Duration within, Callable<Boolean> condition) throws Exception {
        long giveUpNanos = time.monotonicNanos() + within.toNanos();
        while (!condition.call()) {
            if (time.monotonicNanos() > giveUpNanos) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** For what has to last: there is no condition to it but time. */
    void lasting(Duration duration) throws InterruptedException {
        long endNanos = time.monotonicNanos() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - time.monotonicNanos()) {
            Thread.sleep(Math.min(TimeUnit.NANOSECONDS.toMillis(left) + 1, POLL_MILLIS));
        }
    }

    /** Returns when the wall clock is there. */
    void untilWall(long wallMicros) throws InterruptedException {
        while (time.wallMicros() < wallMicros) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
