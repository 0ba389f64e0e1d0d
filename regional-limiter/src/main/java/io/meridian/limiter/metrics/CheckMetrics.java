package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Checks as their callers see them. */
public final class CheckMetrics {
    private final Counts<CheckOutcome> outcomes;
    private final Timer duration;
    private final LongAdder degraded;

    CheckMetrics(MeterRegistry registry) {
        outcomes = new Counts<>(
                registry, LimiterMetrics.CHECKS, "Checks answered", Tags.empty(), "outcome", CheckOutcome.class);
        duration = Durations.timer(registry, LimiterMetrics.CHECK_DURATION, "From a check's arrival to its answer");
        degraded = Counts.adder(
                registry, LimiterMetrics.DEGRADED, "Answers given without the region's counters", Tags.empty());
    }

    /** A check was answered, so long after it came. */
    public void answered(CheckOutcome outcome, long nanos) {
        outcomes.add(outcome, 1);
        duration.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The answer says that it was degraded. */
    public void degraded() {
        degraded.increment();
    }
}
