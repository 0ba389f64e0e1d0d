package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** What became of denials on their way to Kafka. Sent and dropped both count denials: what is in neither still waits. */
public final class ViolationMetrics {
    private final LongAdder sent;
    private final LongAdder records;
    private final Counts<ViolationLoss> dropped;

    ViolationMetrics(MeterRegistry registry) {
        sent = Counts.adder(registry, LimiterMetrics.VIOLATIONS_SENT, "Denials that Kafka has heard of", Tags.empty());
        records = Counts.adder(
                registry, LimiterMetrics.VIOLATIONS_RECORDS, "Records in which it heard of them", Tags.empty());
        dropped = new Counts<>(
                registry,
                LimiterMetrics.VIOLATIONS_DROPPED,
                "Denials that Kafka will not hear of",
                Tags.empty(),
                "reason",
                ViolationLoss.class);
    }

    /** Kafka acknowledged a record of so many denials. */
    public void sent(long denials) {
        sent.add(denials);
        records.increment();
    }

    public void dropped(ViolationLoss reason, long denials) {
        dropped.add(reason, denials);
    }
}
