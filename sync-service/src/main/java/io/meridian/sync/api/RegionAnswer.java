package io.meridian.sync.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.sync.regions.RegionStats.LoopDelay;
import io.meridian.sync.regions.RegionStats.RegionStatus;
import org.jspecify.annotations.Nullable;

/** One region as this replica hears and answers it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record RegionAnswer(
        String region,
        @Nullable Double clockSkewMs,
        @Nullable DelayAnswer loopDelayMs,
        String heardAt) {
    private static final double MICROS_PER_MILLI = 1e3;

    /** Of the last minute. */
    record DelayAnswer(double p50, double p99, double max) {}

    static RegionAnswer of(RegionStatus status) {
        Long skew = status.clockSkewMicros();
        LoopDelay delay = status.loopDelay();
        return new RegionAnswer(
                status.region(),
                skew == null ? null : skew / MICROS_PER_MILLI,
                delay == null ? null : new DelayAnswer(delay.p50Millis(), delay.p99Millis(), delay.maxMillis()),
                Instants.text(status.heardMicros()));
    }
}
