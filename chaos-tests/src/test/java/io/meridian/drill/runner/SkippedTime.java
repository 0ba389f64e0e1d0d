package io.meridian.drill.runner;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clocks, but time in which nothing is waited for is skipped; deadlines of conditions pass as everywhere. */
final class SkippedTime implements TimeSource {
    private final TimeSource system = TimeSource.system();
    private final AtomicLong skippedNanos = new AtomicLong();

    /** As a sleep does, it ends at once in an interrupted thread. */
    void skip(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        skippedNanos.addAndGet(duration.toNanos());
    }

    @Override
    public long monotonicNanos() {
        return system.monotonicNanos() + skippedNanos.get();
    }

    @Override
    public long wallMicros() {
        return system.wallMicros() + TimeUnit.NANOSECONDS.toMicros(skippedNanos.get());
    }
}
