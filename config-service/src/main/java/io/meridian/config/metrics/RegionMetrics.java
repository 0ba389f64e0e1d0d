package io.meridian.config.metrics;

import io.meridian.config.regions.Instances;
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
    private final Instances instances;

    RegionMetrics(MeterRegistry registry, Instances instances) {
        this.registry = registry;
        this.instances = instances;
    }

    void start(@Observes StartupEvent started) {
        Gauge.builder(SECRETS, instances, Instances::secrets)
                .description("Different secrets under which live limiters name counters: more than 1 is wrong")
                .register(registry);
    }
}
