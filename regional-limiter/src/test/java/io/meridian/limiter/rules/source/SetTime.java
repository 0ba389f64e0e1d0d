package io.meridian.limiter.rules.source;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that a test sets. */
final class SetTime implements TimeSource {
    private final AtomicLong micros = new AtomicLong(1_768_474_800_000_000L);

    private final AtomicLong asked = new AtomicLong();

    /** How often somebody asked for the monotonic time. */
    long asked() {
        return asked.get();
    }

    void pass(long byMicros) {
        micros.addAndGet(byMicros);
    }

    @Override
    public long monotonicNanos() {
        asked.incrementAndGet();
        return micros.get() * 1_000;
    }

    @Override
    public long wallMicros() {
        return micros.get();
    }
}
