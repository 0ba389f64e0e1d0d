package io.meridian.chaos.drill.run;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Waits for conditions, with a deadline, and for times. Ends when the thread is interrupted.
 *
 * @param passing how time passes in which nothing is waited for
 */
record Waiting(TimeSource time, Passing passing) {
    private static final int POLL_MILLIS = 5;

    /** By a clock that nobody moves. */
    Waiting(TimeSource time) {
        this(time, Waiting::sleep);
    }

    /** Lets at most so much time pass by the clock of the drill, and at least some of it. */
    @FunctionalInterface
    interface Passing {
        void pass(Duration atMost) throws InterruptedException;
    }

    private static void sleep(Duration atMost) throws InterruptedException {
        Thread.sleep(Math.min(atMost.toMillis() + 1, POLL_MILLIS));
    }

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
            passing.pass(Duration.ofNanos(left));
        }
    }

    /** Returns when the wall clock is there. */
    void untilWall(long wallMicros) throws InterruptedException {
        for (long left = wallMicros - time.wallMicros(); left > 0; left = wallMicros - time.wallMicros()) {
            passing.pass(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(left)));
        }
    }
}
