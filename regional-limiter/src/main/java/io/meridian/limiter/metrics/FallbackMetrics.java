package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Meters of the limiter in memory that decides while the region's counters cannot be reached. */
public final class FallbackMetrics {
    private final MeterRegistry registry;
    private final LongAdder settled;

    FallbackMetrics(MeterRegistry registry) {
        this.registry = registry;
        settled = Counts.adder(
                registry,
                LimiterMetrics.OWED_SETTLED,
                "Units admitted by the fallback and later charged to the region",
                Tags.empty());
    }

    /** Where to read how many limits the fallback counts; to be told once. */
    public void entries(LongSupplier count) {
        Gauge.builder(LimiterMetrics.FALLBACK_ENTRIES, count::getAsLong)
                .description("Limits counted in memory")
                .register(registry);
    }

    /** Where to read for how many limits something is to be charged to the region; to be told once. */
    public void owed(LongSupplier count) {
        Gauge.builder(LimiterMetrics.FALLBACK_OWED, count::getAsLong)
                .description("Limits with units that the fallback admitted and that are not yet charged to the region")
                .register(registry);
    }

    /** Units that the fallback had admitted were charged to the region. */
    public void settled(long units) {
        settled.add(units);
    }
}
