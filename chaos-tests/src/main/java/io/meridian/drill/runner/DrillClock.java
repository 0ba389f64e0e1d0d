package io.meridian.drill.runner;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Clock of a drill, with waits for conditions and for times. All waits end when the thread is interrupted.
 *
 * @param sleeper lets time pass
 */
record DrillClock(TimeSource time, Sleeper sleeper) {
    private static final int POLL_MILLIS = 5;

    /** Clock in real time. */
    DrillClock(TimeSource time) {
        this(time, DrillClock::sleepShortly);
    }

    /** Lets at most this time pass by the clock of the drill, and at least some of it. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration atMost) throws InterruptedException;
    }

    private static void sleepShortly(Duration atMost) throws InterruptedException {
        Thread.sleep(Math.min(atMost.toMillis() + 1, POLL_MILLIS));
    }

    Instant wall() {
        return Instant.EPOCH.plus(time.wallMicros(), ChronoUnit.MICROS);
    }

    /** Polls a condition. Returns whether it held in time. */
    boolean await(Duration within, Callable<Boolean> condition) throws Exception {
        long giveUpNanos = time.monotonicNanos() + within.toNanos();
        while (!condition.call()) {
            if (time.monotonicNanos() > giveUpNanos) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Sleeps where time is the only condition. */
    void sleep(Duration duration) throws InterruptedException {
        long endNanos = time.monotonicNanos() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - time.monotonicNanos()) {
            sleeper.sleep(Duration.ofNanos(left));
        }
    }

    void sleepUntilWall(long wallMicros) throws InterruptedException {
        for (long left = wallMicros - time.wallMicros(); left > 0; left = wallMicros - time.wallMicros()) {
            sleeper.sleep(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(left)));
        }
    }

    /**
     * Runs work to its end on a thread of its own, and keeps an interruption of the caller for later. On the caller's thread an interruption would
     * end every wait within the work, and kill a command of the drill file half way.
     */
    static <T> T uninterruptibly(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "uninterruptible").start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException bug) {
            throw new IllegalStateException("uninterruptible work failed", bug.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
