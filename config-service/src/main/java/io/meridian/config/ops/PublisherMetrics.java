package io.meridian.config.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** Metrics of the publisher and the outbox. */
@Singleton
public class PublisherMetrics {
    private static final String PUBLISHED = "meridian.config.outbox.published";
    private static final String REPAIRED = "meridian.config.outbox.repaired";
    private static final String FAILURES = "meridian.config.outbox.failures";
    private static final String LEADING = "meridian.config.outbox.leading";
    private static final String WAITING = "meridian.config.outbox.waiting";
    private static final String LAG = "meridian.config.outbox.lag";
    private static final double MICROS_PER_SECOND = 1e6;

    private final Counter published;
    private final Counter repaired;
    private final Counter failures;
    private volatile boolean leading;
    private volatile long waiting;
    private volatile long oldestMicros;

    public PublisherMetrics(MeterRegistry registry) {
        published = counter(registry, PUBLISHED, "Records published to Kafka");
        repaired = counter(registry, REPAIRED, "Entries in which the topic differed from the database");
        failures = counter(registry, FAILURES, "Failures after which publishing started again");
        Gauge.builder(LEADING, () -> leading ? 1 : 0)
                .description("1 for the replica that publishes")
                .register(registry);
        Gauge.builder(WAITING, () -> waiting)
                .description("Records not yet published to Kafka, approximately")
                .register(registry);
        Gauge.builder(LAG, () -> oldestMicros / MICROS_PER_SECOND)
                .description("Age of the oldest record not yet published")
                .baseUnit("seconds")
                .register(registry);
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
        leading = leads;
    }

    public void backlog(long records, long oldestWaitMicros) {
        waiting = records;
        oldestMicros = oldestWaitMicros;
    }

    private static Counter counter(MeterRegistry registry, String name, String help) {
        return Counter.builder(name).description(help).register(registry);
    }
}
