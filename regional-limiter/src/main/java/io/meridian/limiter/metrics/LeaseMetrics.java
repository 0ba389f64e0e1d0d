package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Meters of this instance's leases. */
public final class LeaseMetrics {
    private final MeterRegistry registry;
    private final LongAdder acquired;
    private final LongAdder returned;
    private final LongAdder spent;
    private final LongAdder denied;
    private final LongAdder grantWaits;

    LeaseMetrics(MeterRegistry registry) {
        this.registry = registry;
        acquired = Counts.adder(registry, LimiterMetrics.LEASE_ACQUIRED, "Units leased from the region", Tags.empty());
        returned = Counts.adder(registry, LimiterMetrics.LEASE_RETURNED, "Units given back unspent", Tags.empty());
        spent = Counts.adder(registry, LimiterMetrics.LEASE_SPENT, "Units spent from leases", Tags.empty());
        denied =
                Counts.adder(registry, LimiterMetrics.DENIED_FROM_MEMORY, "Denials answered from memory", Tags.empty());
        grantWaits = Counts.adder(
                registry,
                LimiterMetrics.GRANT_WAITS,
                "Checks that waited for a grant of a limit in escrow",
                Tags.empty());
    }

    /** Where to read how many leases are held; to be told once. */
    public void held(LongSupplier count) {
        Gauge.builder(LimiterMetrics.LEASES_HELD, count::getAsLong)
                .description("Leases in memory")
                .register(registry);
    }

    public void acquired(long units) {
        acquired.add(units);
    }

    public void returned(long units) {
        returned.add(units);
    }

    public void spent(long units) {
        spent.add(units);
    }

    public void waitedForGrant() {
        grantWaits.increment();
    }

    public void deniedFromMemory() {
        denied.increment();
    }
}
