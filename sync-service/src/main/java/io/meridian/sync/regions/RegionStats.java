package io.meridian.sync.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.ops.SyncMetrics.LoopBuckets;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Clock skew and loop delay of every region that reports, by name. Further regions than {@link #REGIONS_MAX} are not watched. */
@Singleton
public class RegionStats {
    static final int REGIONS_MAX = 64;

    private final TimeSource time;
    private final Duration alert;
    private final MeterRegistry registry;
    /** Percentiles of the last minute, for this replica's own answers: they do not add up over replicas. */
    private final MeterRegistry recent = new SimpleMeterRegistry();

    private final Map<String, Region> regions = new ConcurrentSkipListMap<>();

    public RegionStats(TimeSource time, SyncConfig config, MeterRegistry registry) {
        this.time = time;
        this.alert = config.skewAlert();
        this.registry = registry;
    }

    /** A report was read as soon as it came. */
    public void reported(String region, long sentMicros, long appendedMicros) {
        Region known = region(region);
        if (known != null) {
            known.reported(sentMicros, appendedMicros);
        }
    }

    /** A region's report went into a committed verdict after so long. */
    public void answered(String region, long delayMicros) {
        Region known = region(region);
        if (known != null) {
            known.answered(delayMicros);
        }
    }

    public List<RegionStatus> status() {
        return regions.values().stream().map(Region::status).toList();
    }

    private @Nullable Region region(String name) {
        Region known = regions.get(name);
        if (known == null && regions.size() < REGIONS_MAX) {
            known = regions.computeIfAbsent(name, each -> new Region(each, time, alert, registry, recent));
        }
        return known;
    }

    /**
     * Status of a region.
     *
     * @param clockSkewMicros how far its clock is ahead, null if it has not reported lately
     * @param loopDelay null if this replica has not answered it lately
     * @param reportedMicros when its last report was read
     */
    public record RegionStatus(
            String region,
            @Nullable Long clockSkewMicros,
            @Nullable LoopDelay loopDelay,
            long reportedMicros) {}

    /** Delay from a region's usage to a committed verdict, in the last minute. */
    public record LoopDelay(double p50Millis, double p99Millis, double maxMillis) {}

    /** Measurements of one region. */
    private static final class Region {
        private static final Logger LOG = Logger.getLogger(Region.class);
        private static final double MICROS_PER_SECOND = 1e6;

        private final String name;
        private final TimeSource time;
        private final long alertMicros;
        private final ClockSkew skew;
        private final Timer loop;
        private final Timer lastMinute;
        private volatile long reportedMicros;
        private boolean alerted;

        Region(String name, TimeSource time, Duration alert, MeterRegistry registry, MeterRegistry recent) {
            this.name = name;
            this.time = time;
            this.alertMicros = TimeUnit.NANOSECONDS.toMicros(alert.toNanos());
            this.skew = new ClockSkew(time.monotonicNanos());
            Gauge.builder(SyncMetrics.CLOCK_SKEW, this::skewSeconds)
                    .description("Offset of a region's clock from Kafka's, less the network delay")
                    .baseUnit("seconds")
                    .tag("region", name)
                    .strongReference(true)
                    .register(registry);
            loop = LoopBuckets.timer(
                            SyncMetrics.LOOP,
                            "From a usage record in Kafka to the commit of the verdicts computed from it")
                    .tag("region", name)
                    .register(registry);
            lastMinute = Timer.builder(name)
                    .publishPercentiles(0.5, 0.99)
                    .distributionStatisticExpiry(Duration.ofMinutes(1))
                    .distributionStatisticBufferLength(6)
                    .register(recent);
        }

        void reported(long sentMicros, long appendedMicros) {
            reportedMicros = time.wallMicros();
            skew.add(sentMicros - appendedMicros, time.monotonicNanos());
            skew.micros(time.monotonicNanos()).ifPresent(this::warn);
        }

        void answered(long delayMicros) {
            loop.record(Math.max(0, delayMicros), TimeUnit.MICROSECONDS);
            lastMinute.record(Math.max(0, delayMicros), TimeUnit.MICROSECONDS);
        }

        RegionStatus status() {
            OptionalLong ahead = skew.micros(time.monotonicNanos());
            return new RegionStatus(name, ahead.isPresent() ? ahead.getAsLong() : null, delay(), reportedMicros);
        }

        /** Logs a skew once, and once when it is over. */
        private void warn(long skewMicros) {
            boolean off = Math.abs(skewMicros) > alertMicros;
            if (off != alerted) {
                alerted = off;
                if (off) {
                    LOG.warnf(
                            "a region's clock is off, or its reports are late: region=%s skew_us=%d", name, skewMicros);
                } else {
                    LOG.infof("a region's clock is right again: region=%s skew_us=%d", name, skewMicros);
                }
            }
        }

        private @Nullable LoopDelay delay() {
            HistogramSnapshot recent = lastMinute.takeSnapshot();
            ValueAtPercentile[] values = recent.percentileValues();
            if (values.length < 2 || recent.max() == 0) {
                return null;
            }
            return new LoopDelay(
                    values[0].value(TimeUnit.MILLISECONDS),
                    values[1].value(TimeUnit.MILLISECONDS),
                    recent.max(TimeUnit.MILLISECONDS));
        }

        private double skewSeconds() {
            OptionalLong ahead = skew.micros(time.monotonicNanos());
            return ahead.isPresent() ? ahead.getAsLong() / MICROS_PER_SECOND : Double.NaN;
        }
    }
}
