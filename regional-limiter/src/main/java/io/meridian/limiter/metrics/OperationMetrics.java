package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** What became of resets and refunds on their way to the audit trail. What is neither sent nor dropped still waits. */
public final class OperationMetrics {
    private final LongAdder sent;
    private final Counts<OperationLoss> dropped;

    OperationMetrics(MeterRegistry registry) {
        sent = Counts.adder(
                registry, LimiterMetrics.OPERATIONS_SENT, "Resets and refunds that Kafka has heard of", Tags.empty());
        dropped = new Counts<>(
                registry,
                LimiterMetrics.OPERATIONS_DROPPED,
                "Resets and refunds that will not be in the audit trail",
                Tags.empty(),
                "reason",
                OperationLoss.class);
    }

    public void sent() {
        sent.increment();
    }

    public void dropped(OperationLoss reason, long operations) {
        dropped.add(reason, operations);
    }
}
