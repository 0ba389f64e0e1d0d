package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** What became of the decisions that were drawn for the log. */
public final class DecisionLogMetrics {
    private final LongAdder written;
    private final Counts<DecisionLogLoss> dropped;

    DecisionLogMetrics(MeterRegistry registry) {
        written = Counts.adder(registry, LimiterMetrics.DECISION_LOG_WRITTEN, "Decisions logged", Tags.empty());
        dropped = new Counts<>(
                registry,
                LimiterMetrics.DECISION_LOG_DROPPED,
                "Decisions of the sample that were not logged",
                Tags.empty(),
                "reason",
                DecisionLogLoss.class);
    }

    public void written() {
        written.increment();
    }

    public void dropped(DecisionLogLoss reason) {
        dropped.add(reason, 1);
    }
}
