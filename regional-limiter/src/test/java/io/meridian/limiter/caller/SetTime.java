package io.meridian.limiter.caller;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.TimeUnit;

/** A clock that only the test moves. */
final class SetTime implements TimeSource {
    private volatile long second;

    SetTime(long second) {
        this.second = second;
    }

    void set(long now) {
        second = now;
    }

    @Override
    public long monotonicNanos() {
        return TimeUnit.SECONDS.toNanos(second);
    }

    @Override
    public long wallMicros() {
        return TimeUnit.SECONDS.toMicros(second);
    }
}
