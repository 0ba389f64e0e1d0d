package io.meridian.limiter.metrics;

import io.meridian.limiter.metrics.LimiterMetrics.Durations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Meters of usage reports and verdicts. */
public final class UsageMetrics {
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final LongAdder reported;
    private final LongAdder failed;
    private final LongAdder regionalReported;
    private final Counts<UsageLoss> dropped;
    private final LongAdder heard;
    private final LongAdder begun;
    private final Timer loop;
    private final Timer staleness;
    /** The same for this instance's own answers: percentiles do not add up over instances, so they are not exported. */
    private final Timer recent;

    UsageMetrics(MeterRegistry registry) {
        this.registry = registry;
        reported = Counts.adder(
                registry,
                LimiterMetrics.USAGE_REPORTED,
                "Window accounts whose usage Kafka acknowledged",
                Tags.empty());
        failed = Counts.adder(
                registry,
                LimiterMetrics.USAGE_FAILED,
                "Batches of usage that were not acknowledged and are sent again",
                Tags.empty());
        regionalReported = Counts.adder(
                registry,
                LimiterMetrics.REGIONAL_REPORTED,
                "Reports on regional limits acknowledged by Kafka",
                Tags.empty());
        dropped = new Counts<>(
                registry,
                LimiterMetrics.USAGE_DROPPED,
                "Admitted units that are not reported, because a bound was reached",
                Tags.empty(),
                "kind",
                UsageLoss.class);
        heard = Counts.adder(registry, LimiterMetrics.VERDICTS_RECEIVED, "Verdicts for this region", Tags.empty());
        begun = Counts.adder(
                registry,
                LimiterMetrics.INCARNATION_CHANGES,
                "Times the region's data was lost or replaced",
                Tags.empty());
        loop = Durations.slowTimer(
                registry,
                LimiterMetrics.LOOP_DELAY,
                "From reporting usage to applying the verdict on it, and the interval of reports");
        staleness = Durations.slowTimer(
                registry,
                LimiterMetrics.STALENESS,
                "Age of the known usage of other regions, in answers on global limits");
        recent = Timer.builder(LimiterMetrics.LOOP_DELAY)
                .publishPercentiles(0.5, 0.99)
                .distributionStatisticExpiry(REMEMBERED)
                .register(new SimpleMeterRegistry());
    }

    public void reported(int books) {
        reported.add(books);
    }

    /** Kafka has so many reports more on limits that the region has for itself. */
    public void regionalReported(int limits) {
        regionalReported.add(limits);
    }

    /** Where to read how many limits of its own the region accounts for; to be told once. */
    public void regionalLimits(LongSupplier count) {
        Gauge.builder(LimiterMetrics.REGIONAL_LIMITS, count, LongSupplier::getAsLong)
                .description("Windows of regional limits that this instance reports")
                .strongReference(true)
                .register(registry);
    }

    /** So many units are not accounted for. */
    public void dropped(UsageLoss kind, long units) {
        dropped.add(kind, units);
    }

    public void failed() {
        failed.increment();
    }

    public void applied(int verdicts) {
        heard.add(verdicts);
    }

    public void incarnationChanged() {
        begun.increment();
    }

    public void looped(long micros) {
        loop.record(micros, TimeUnit.MICROSECONDS);
        recent.record(micros, TimeUnit.MICROSECONDS);
    }

    /** A global limit was decided by what had been heard so long before. */
    public void stale(long millis) {
        staleness.record(millis, TimeUnit.MILLISECONDS);
    }

    /** Where to read how long ago the leaders were heard of, and by how many units limits may be exceeded; to be told once. */
    public void leader(LongSupplier silentMillis, LongSupplier excessUnits) {
        Gauge.builder(LimiterMetrics.CENTRE_SILENT, silentMillis, silent -> silent.getAsLong() / 1_000.0)
                .description("Seconds since the last verdict or heartbeat of the leader that has been silent longest")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        Gauge.builder(LimiterMetrics.BOUND_EXCESS, excessUnits, LongSupplier::getAsLong)
                .description("The most by which a converging limit may now be exceeded: its rate times the loop delay")
                .baseUnit("units")
                .strongReference(true)
                .register(registry);
    }

    /** The loop delay of the last minute in milliseconds; 0 if there was none. */
    public LoopDelay loopDelay() {
        HistogramSnapshot snapshot = recent.takeSnapshot();
        double p50 = 0;
        double p99 = 0;
        for (ValueAtPercentile value : snapshot.percentileValues()) {
            if (value.percentile() == 0.5) {
                p50 = value.value(TimeUnit.MILLISECONDS);
            } else {
                p99 = value.value(TimeUnit.MILLISECONDS);
            }
        }
        return new LoopDelay(p50, p99, snapshot.max(TimeUnit.MILLISECONDS));
    }

    /** Loop delay of the last minute, in milliseconds. */
    public record LoopDelay(double p50, double p99, double max) {}

    /** Reasons why admitted units are not accounted for: in each a bound was reached. */
    public enum UsageLoss {
        /** Taken of a region's own limits, when an instance accounts for as many as it may: not on record. */
        REGIONAL_LIMITS,
        /** Counted by an earlier incarnation of the region's data and not reported, when too much of that waits for Kafka. */
        FORMER_LIFE,
        /** Taken of a region's own limits before its Redis lost its counters, when too much waits to be charged. */
        LOST_COUNTERS,
        /** Admitted without the region's counters, when the fallback owes for as many limits as it may. */
        FALLBACK
    }
}
