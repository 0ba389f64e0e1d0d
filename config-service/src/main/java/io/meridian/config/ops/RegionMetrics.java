package io.meridian.config.ops;

import io.meridian.config.regions.LimiterDirectory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** What is known of the limiters of all regions. */
@Singleton
class RegionMetrics {
    private static final String SECRETS = "meridian.config.regions.secrets";

    private final MeterRegistry registry;
    private final LimiterDirectory instances;

    RegionMetrics(MeterRegistry registry, LimiterDirectory instances) {
        this.registry = registry;
        this.instances = instances;
    }

    void start(@Observes StartupEvent started) {
        Gauge.builder(SECRETS, instances, LimiterDirectory::secrets)
                .description("Different secrets under which live limiters name counters: more than 1 is wrong")
                .register(registry);
    }
}
