package io.meridian.config.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How publishing goes. */
@Singleton
public class PublisherMetrics {
    private final Counter published;
    private final Counter repaired;
    private final Counter failures;
    private final AtomicInteger leading;
    private final AtomicLong waiting;

    PublisherMetrics(MeterRegistry registry) {
        published = registry.counter("meridian.config.outbox.published");
        repaired = registry.counter("meridian.config.outbox.repaired");
        failures = registry.counter("meridian.config.outbox.failures");
        leading = registry.gauge("meridian.config.outbox.leading", new AtomicInteger());
        waiting = registry.gauge("meridian.config.outbox.waiting", new AtomicLong());
    }

    public void published(int records) {
        published.increment(records);
    }

    public void repaired(int entries) {
        repaired.increment(entries);
    }

    public void failed() {
        failures.increment();
    }

    public void leading(boolean leads) {
        leading.set(leads ? 1 : 0);
    }

    public void waiting(long records) {
        waiting.set(records);
    }
}
