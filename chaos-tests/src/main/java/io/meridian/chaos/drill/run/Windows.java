package io.meridian.chaos.drill.run;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The windows of a drill's policies as the wall clock passes through them; regions go by their own, a little beside it. */
record Windows(TimeSource time, Duration length) {
    /** The end of the window that is open now. */
    long openEndMicros() {
        long micros = TimeUnit.MILLISECONDS.toMicros(length.toMillis());
        return Math.floorDiv(time.wallMicros(), micros) * micros + micros;
    }

    /** The end of the so manieth window after the one that ends there. */
    long after(long endMicros, int windows) {
        return endMicros + windows * TimeUnit.MILLISECONDS.toMicros(length.toMillis());
    }
}
