package io.meridian.config.ops;

import io.meridian.config.regions.LimiterDirectory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Gauges of the limiters of all regions. */
@Singleton
class RegionMetrics {
    private static final String SECRETS = "meridian.config.regions.secrets";

    private final MeterRegistry registry;
    private final LimiterDirectory limiters;

    RegionMetrics(MeterRegistry registry, LimiterDirectory limiters) {
        this.registry = registry;
        this.limiters = limiters;
    }

    void start(@Observes StartupEvent started) {
        Gauge.builder(SECRETS, limiters, LimiterDirectory::secrets)
                .description("Different secrets under which live limiters name counters: more than 1 is wrong")
                .register(registry);
    }
}
