package io.meridian.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;

/** Source of time of a client: monotonic for durations, wall for the times in answers. */
interface ClientClock {
    ClientClock SYSTEM = new SystemClock();

    long nanos();

    long wallMillis();

    /** Whether {@code nanos} is over, on a clock that may overflow. */
    default boolean isPast(long nanos) {
        return nanos() - nanos >= 0;
    }

    default long nanosIn(long millis) {
        return nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The clocks of this machine. */
    @ReadsClock
    final class SystemClock implements ClientClock {
        private SystemClock() {}

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    }

    /** Permission to read a clock directly; the build refuses it everywhere else. */
    @Retention(RetentionPolicy.CLASS)
    @Target(ElementType.TYPE)
    @interface ReadsClock {}
}
