package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition, up to a deadline that only a broken build reaches. */
final class Eventually {
    static final int DEADLINE_SECONDS = 120;

    private static final int POLL_MILLIS = 2;

    private Eventually() {}

    static void holds(String what, BooleanSupplier condition) {
        long start = TimeSource.system().monotonicNanos();
        while (!condition.getAsBoolean()) {
            if (TimeSource.system().monotonicNanos() - start > TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS)) {
                throw new AssertionError("after " + DEADLINE_SECONDS + " s still not so: " + what);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException stopped) {
                throw new AssertionError(what, stopped);
            }
        }
    }
}
