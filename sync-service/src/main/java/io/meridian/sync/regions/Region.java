package io.meridian.sync.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.ops.SyncMetrics.LoopBuckets;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats.LoopDelay;
import io.meridian.sync.regions.RegionStats.RegionStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One region, as it is heard and answered. */
final class Region {
    private static final Logger LOG = Logger.getLogger(Region.class);
    private static final double MICROS_PER_SECOND = 1e6;

    private final String name;
    private final TimeSource time;
    private final long alertMicros;
    private final ClockSkew skew;
    private final Timer loop;
    private final Timer lastMinute;
    private volatile long heardMicros;
    private boolean alerted;

    Region(String name, TimeSource time, Duration alert, MeterRegistry registry, MeterRegistry recent) {
        this.name = name;
        this.time = time;
        this.alertMicros = TimeUnit.NANOSECONDS.toMicros(alert.toNanos());
        this.skew = new ClockSkew(time.monotonicNanos());
        Gauge.builder(SyncMetrics.CLOCK_SKEW, this::skewSeconds)
                .description("How far a region's clock is ahead of Kafka's, less the way between them")
                .baseUnit("seconds")
                .tag("region", name)
                .strongReference(true)
                .register(registry);
        loop = LoopBuckets.timer(SyncMetrics.LOOP, "From usage in Kafka to the commit of the verdicts it went into")
                .tag("region", name)
                .register(registry);
        lastMinute = Timer.builder(name)
                .publishPercentiles(0.5, 0.99)
                .distributionStatisticExpiry(Duration.ofMinutes(1))
                .distributionStatisticBufferLength(6)
                .register(recent);
    }

    void heard(long sentMicros, long appendedMicros) {
        heardMicros = time.wallMicros();
        skew.add(sentMicros - appendedMicros, time.monotonicNanos());
        skew.micros(time.monotonicNanos()).ifPresent(this::warn);
    }

    void answered(long delayMicros) {
        loop.record(Math.max(0, delayMicros), TimeUnit.MICROSECONDS);
        lastMinute.record(Math.max(0, delayMicros), TimeUnit.MICROSECONDS);
    }

    RegionStatus status() {
        OptionalLong ahead = skew.micros(time.monotonicNanos());
        return new RegionStatus(name, ahead.isPresent() ? ahead.getAsLong() : null, delay(), heardMicros);
    }

    /** Says it once, and once when it is over. */
    private void warn(long skewMicros) {
        boolean off = Math.abs(skewMicros) > alertMicros;
        if (off != alerted) {
            alerted = off;
            if (off) {
                LOG.warnf("a region's clock is off, or its reports are late: region=%s skew_us=%d", name, skewMicros);
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
