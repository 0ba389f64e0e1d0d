package io.meridian.model.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The machine's own clocks: the one place of the product that reads them. */
@RawTime
enum SystemTimeSource implements TimeSource {
    INSTANCE;

    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMicros() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    }
}
