package io.meridian.service.time;

import io.meridian.model.time.TimeSource;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Producer of the clocks of this process. */
class TimeSources {
    @Produces
    @Singleton
    TimeSource system() {
        return TimeSource.system();
    }
}
