package io.meridian.sync;

import io.meridian.model.time.TimeSource;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The clocks of this process. */
class TimeSources {
    @Produces
    @Singleton
    TimeSource system() {
        return TimeSource.system();
    }
}
