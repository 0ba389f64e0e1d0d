package io.meridian.chaos.global;

import io.meridian.model.algorithm.Window;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.fixture.Eventually;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The windows as the wall clock passes through them; all regions of a local world share this machine's. */
record Windows(Window.Span span) {
    private static final Duration MARGIN = Duration.ofSeconds(30);

    /** The end of the window that is open now. Windows go by their ends, because answers do. */
    long openEndMicros() {
        return span.endMicros(span.startMicros(TimeSource.system().wallMicros()));
    }

    /** The end of the window after the one that ends here. */
    long next(long endMicros) {
        return endMicros + span.micros();
    }

    long startMicros(long endMicros) {
        return endMicros - span.micros();
    }

    /** Returns when that window has ended. */
    void awaitEnd(long endMicros) throws Exception {
        await(endMicros);
    }

    /** Returns when this share of the window has passed. */
    void awaitShare(long endMicros, double share) throws Exception {
        await(startMicros(endMicros) + Math.round(share * span.micros()));
    }

    private static void await(long wallMicros) throws Exception {
        TimeSource time = TimeSource.system();
        Duration left = Duration.ofMillis(TimeUnit.MICROSECONDS.toMillis(Math.max(0, wallMicros - time.wallMicros())));
        Eventually.holds("the clock is there", left.plus(MARGIN), () -> time.wallMicros() >= wallMicros);
    }
}
