package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/** The load that adaptive limits follow. */
public final class LoadMetrics {
    private final MeterRegistry registry;

    LoadMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Where to read the load in percent; to be told once. */
    public void percent(Supplier<Optional<Integer>> load) {
        Gauge.builder(
                        LimiterMetrics.LOAD,
                        () -> load.get().map(Integer::doubleValue).orElse(Double.NaN))
                .description("Load that adaptive limits follow, in percent; NaN while none is known")
                .register(registry);
    }
}
