package io.meridian.limiter.metrics;

import io.meridian.model.time.TimeSource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Meters of the rules in effect: their source, number and age. */
public final class RulesMetrics {
    private static final double NANOS_PER_SECOND = 1e9;

    private final TimeSource time;
    private final Runnable changed;
    private volatile RulesSource source = RulesSource.BUILT_IN;
    private volatile int policies;
    private volatile long revision;
    private volatile int escrowRefused;
    private volatile long confirmedNanos;

    RulesMetrics(MeterRegistry registry, TimeSource time, Runnable changed) {
        this.time = time;
        this.changed = changed;
        this.confirmedNanos = time.monotonicNanos();
        for (RulesSource each : RulesSource.values()) {
            Gauge.builder(LimiterMetrics.RULES_SOURCE, () -> each == source ? 1 : 0)
                    .description("1 for the source of the active rules")
                    .tag("source", Counts.text(each))
                    .register(registry);
        }
        Gauge.builder(LimiterMetrics.RULES_POLICIES, () -> policies)
                .description("Policies of the active rules")
                .register(registry);
        Gauge.builder(LimiterMetrics.RULES_REVISION, () -> revision)
                .description("Revision of the active rules, 0 if they come from a file or are built in")
                .register(registry);
        Gauge.builder(LimiterMetrics.ESCROW_REFUSED, () -> escrowRefused)
                .description("Policies in escrow whose checks are refused, because the region's Redis is a cluster")
                .register(registry);
        Gauge.builder(LimiterMetrics.RULES_AGE, this::ageSeconds)
                .description("Time since the active rules were loaded or last confirmed by their source")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Another rules is in use from now on. */
    public void loaded(RulesSource from, int policyCount) {
        source = from;
        policies = policyCount;
        confirmed();
        changed.run();
    }

    /** The rules in use is of this revision. */
    public void revision(long inUse) {
        revision = inUse;
    }

    /** Checks of so many policies are refused, because the region's counters hold no grants. */
    public void escrowRefused(int policyCount) {
        escrowRefused = policyCount;
    }

    /** The source was heard from, and the rules in use is still its newest. */
    public void confirmed() {
        confirmedNanos = time.monotonicNanos();
    }

    private double ageSeconds() {
        return (time.monotonicNanos() - confirmedNanos) / NANOS_PER_SECOND;
    }

    /** Source of the rules in effect. */
    public enum RulesSource {
        FILE,
        TOPIC,
        LAST_KNOWN_GOOD,
        BUILT_IN
    }
}
