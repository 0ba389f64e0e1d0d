package io.meridian.limiter.decide;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;

/** A clock that only the test moves. */
public final class ManualTime implements TimeSource {
    private long micros;

    public ManualTime(long micros) {
        this.micros = micros;
    }

    public void advance(long moreMicros) {
        micros += moreMicros;
    }

    @Override
    public long monotonicNanos() {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }

    @Override
    public long wallMicros() {
        return micros;
    }
}
