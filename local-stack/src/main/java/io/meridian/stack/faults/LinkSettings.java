package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import java.util.concurrent.ScheduledExecutorService;

/** What the connections of every proxy share. */
record LinkSettings(TimeSource time, ScheduledExecutorService timer, long seed, int linksMax) {
    LinkSettings {
        if (linksMax < 1) {
            throw new IllegalArgumentException("linksMax must be positive, got " + linksMax);
        }
    }
}
