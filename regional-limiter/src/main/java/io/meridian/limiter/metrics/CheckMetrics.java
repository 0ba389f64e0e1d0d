package io.meridian.limiter.metrics;

import io.meridian.limiter.metrics.LimiterMetrics.Durations;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Meters of checks as their callers see them. */
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
                .description("Seconds in which a degraded answer was given")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder(LimiterMetrics.DEGRADED_NOW, () -> degradedTime.isNow() ? 1 : 0)
                .description("1 if a degraded answer was given in the last ten seconds")
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

    /** The counts that config-service is told, for its view of all regions. */
    public InstanceReport.Checks reported() {
        long answered = 0;
        for (CheckOutcome outcome : CheckOutcome.values()) {
            answered += outcomes.sum(outcome);
        }
        long denied = outcomes.sum(CheckOutcome.DENIED)
                + outcomes.sum(CheckOutcome.THROTTLED)
                + outcomes.sum(CheckOutcome.LISTED);
        return new InstanceReport.Checks(answered, denied, degraded.sum());
    }

    /** Outcome of a check. */
    public enum CheckOutcome {
        ALLOWED,
        DENIED,
        THROTTLED,
        /** The client is on the deny list. */
        LISTED,
        /** The client is on the allow list. */
        EXEMPT,
        /** A policy that fails closed could not be decided. */
        UNDECIDED,
        /** No policy applies. */
        UNMATCHED
    }

    /**
     * Time in which answers were degraded: the seconds in which at least one was. So a region that flips to and fro many times a
     * second counts as degraded throughout, and one that nobody asks as not.
     */
    static final class DegradedTime {
        private static final long RECENT_SECONDS = 10;
        private static final long NEVER = Long.MIN_VALUE;

        private final TimeSource time;
        private final AtomicLong last = new AtomicLong(NEVER);
        private final LongAdder seconds = new LongAdder();

        DegradedTime(TimeSource time) {
            this.time = time;
        }

        /** An answer was degraded. */
        public void answered() {
            long now = nowSeconds();
            long before = last.get();
            if (now != before && last.compareAndSet(before, now)) {
                seconds.increment();
            }
        }

        long seconds() {
            return seconds.sum();
        }

        /** Whether an answer of the last ten seconds was degraded. */
        boolean isNow() {
            long before = last.get();
            return before != NEVER && nowSeconds() - before < RECENT_SECONDS;
        }

        private long nowSeconds() {
            return TimeUnit.NANOSECONDS.toSeconds(time.monotonicNanos());
        }
    }
}
