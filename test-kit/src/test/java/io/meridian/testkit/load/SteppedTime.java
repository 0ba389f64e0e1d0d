package io.meridian.testkit.load;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Clock that a test moves; each reading moves it by a step too, so that a loop that waits for a time reaches it. */
final class SteppedTime implements TimeSource {
    private final AtomicLong nanos = new AtomicLong();
    private final long stepNanos;

    SteppedTime(Duration step) {
        this.stepNanos = step.toNanos();
    }

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long monotonicNanos() {
        return nanos.addAndGet(stepNanos);
    }

    @Override
    public long wallMicros() {
        throw new AssertionError("a latency is no instant");
    }
}
