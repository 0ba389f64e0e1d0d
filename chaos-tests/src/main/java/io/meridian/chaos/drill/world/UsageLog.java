package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.model.usage.Usage;

/** What the regions have told the world. */
public interface UsageLog extends AutoCloseable {
    /** What was reported by now, of the window that ends there. */
    Usage of(Subject subject, long windowEndMicros);

    @Override
    void close();
}
