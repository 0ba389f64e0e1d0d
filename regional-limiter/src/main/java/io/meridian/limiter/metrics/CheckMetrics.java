package io.meridian.limiter.metrics;

import io.meridian.model.time.TimeSource;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
    private final DegradedTime degradedTime;

    CheckMetrics(MeterRegistry registry, TimeSource time) {
        outcomes = new Counts<>(
                registry, LimiterMetrics.CHECKS, "Checks answered", Tags.empty(), "outcome", CheckOutcome.class);
        duration = Durations.timer(registry, LimiterMetrics.CHECK_DURATION, "From a check's arrival to its answer");
        degraded = Counts.adder(
                registry, LimiterMetrics.DEGRADED, "Answers given without the region's counters", Tags.empty());
        degradedTime = new DegradedTime(time);
        FunctionCounter.builder(LimiterMetrics.DEGRADED_TIME, degradedTime, DegradedTime::seconds)
                .description("Seconds in which such an answer was given")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder(LimiterMetrics.DEGRADED_NOW, () -> degradedTime.isNow() ? 1 : 0)
                .description("1 if such an answer was given in the last ten seconds")
                .register(registry);
    }

    /** A check was answered, so long after it came. */
    public void answered(CheckOutcome outcome, long nanos) {
        outcomes.add(outcome, 1);
        duration.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The answer says that it was degraded. */
    public void degraded() {
        degraded.increment();
        degradedTime.answered();
    }
}
