package io.meridian.sync.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.aggregate.Overshoot;
import io.meridian.sync.leader.ReplicaStatus;
import io.meridian.sync.leader.ReplicaStatus.PartitionStatus;
import io.meridian.sync.regions.RegionStats.LoopDelay;
import io.meridian.sync.regions.RegionStats.RegionStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Answer of {@code GET /api/v1/shards}. */
record ShardsAnswer(
        String replica,
        List<PartitionAnswer> partitions,
        List<RegionAnswer> regions,
        List<OvershootAnswer> overshoots) {
    static ShardsAnswer of(String replica, ReplicaStatus status, List<RegionStatus> regions) {
        int partitions = status.partitions().size();
        return new ShardsAnswer(
                replica,
                status.partitions().stream()
                        .map(each -> PartitionAnswer.of(each, partitions))
                        .toList(),
                regions.stream().map(RegionAnswer::of).toList(),
                status.overshoots().stream().map(OvershootAnswer::of).toList());
    }

    /** One partition and its leader: leader and beat are null before the first. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record PartitionAnswer(
            int partition,
            int shards,
            @Nullable String leader,
            long epoch,
            String role,
            int limits,
            long lag,
            @Nullable String beatAt) {
        static PartitionAnswer of(PartitionStatus status, int partitions) {
            LeaderBeat beat = status.beat();
            return new PartitionAnswer(
                    status.partition(),
                    shards(status.partition(), partitions),
                    beat == null ? null : beat.replica(),
                    beat == null ? 0 : beat.epoch(),
                    status.role().name().toLowerCase(Locale.ROOT),
                    status.limits(),
                    status.lag(),
                    beat == null ? null : instant(beat.atMicros()));
        }

        /** How many shards are of this partition. */
        private static int shards(int partition, int partitions) {
            return (Shard.COUNT - partition + partitions - 1) / partitions;
        }
    }

    /** One region, as its reports reach this replica. */
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
                    instant(status.reportedMicros()));
        }
    }

    /** Units admitted in one window above its limit. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record OvershootAnswer(
            String policy,
            String key,
            String windowStart,
            long total,
            long limit,
            long excess,
            long carried,
            String afterHeal) {
        static OvershootAnswer of(Overshoot overshoot) {
            return new OvershootAnswer(
                    overshoot.limit().policyId(),
                    overshoot.limit().key(),
                    instant(overshoot.limit().startMicros()),
                    overshoot.total(),
                    overshoot.rule().limit(),
                    overshoot.excess(),
                    overshoot.carried(),
                    overshoot.rule().afterHeal().name().toLowerCase(Locale.ROOT));
        }
    }

    /** An instant as RFC 3339 writes it. */
    private static String instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
