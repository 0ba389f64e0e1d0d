package io.meridian.sync.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/**
 * A forger with write access to the usage topic reports a far-ahead incarnation of another region. If it were applied, the real data
 * would get no verdict any more.
 */
class ForgedIncarnationTest {
    private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final long NOW = 30_000_000 * MINUTE_MICROS + 1_000_000;
    private static final long YEAR_MICROS = TimeUnit.DAYS.toMicros(365);
    private static final WindowRule RULE =
            new WindowRule(1, 100, MINUTE_MICROS, SharingMode.CONVERGE, AfterHeal.FORGIVE);
    private static final RegionIncarnation REAL = new RegionIncarnation("eu-west", NOW - 60 * MINUTE_MICROS);
    private static final RegionIncarnation OTHER = new RegionIncarnation("us-east", NOW - 60 * MINUTE_MICROS);
    private static final RegionIncarnation FORGED = new RegionIncarnation("eu-west", NOW + YEAR_MICROS);

    private final SyncConfig config = Actor.config(Map.of());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PartitionState partition = partition();
    private final RecordIntake intake = intake(registry);

    @Test
    void forged_usage_from_the_future_is_refused_and_the_real_data_still_gets_verdicts() {
        apply(usage(REAL, 1), NOW);

        apply(usage(FORGED, 1), NOW);
        apply(usage(OTHER, 99), NOW);

        assertThat(verdictsFor()).contains(REAL).doesNotContain(FORGED);
        assertThat(registry.get("meridian.sync.records.implausible").counter().count())
                .isEqualTo(1);
    }

    @Test
    void so_is_a_forged_announcement() {
        apply(usage(REAL, 1), NOW);

        RegionAnnouncement forged = new RegionAnnouncement(FORGED, FORGED.number());
        intake.usage(partition, record(forged.key(), forged.value(), NOW), true);
        apply(usage(OTHER, 99), NOW);

        assertThat(verdictsFor()).contains(REAL).doesNotContain(FORGED);
    }

    @Test
    void a_replica_that_reads_it_long_after_comes_to_the_same_result_and_does_not_count_it_again() {
        apply(usage(REAL, 1), NOW);
        apply(usage(FORGED, 1), NOW);
        apply(usage(OTHER, 99), NOW);
        PartitionState later = partition();
        SimpleMeterRegistry counted = new SimpleMeterRegistry();
        RecordIntake reading = intake(counted);
        for (UsageRecord each : List.of(usage(REAL, 1), usage(FORGED, 1), usage(OTHER, 99))) {
            reading.usage(later, record(each.key(), each.value(), NOW), false);
        }

        assertThat(verdictsFor(later)).containsExactlyInAnyOrderElementsOf(verdictsFor());
        assertThat(counted.get("meridian.sync.records.implausible").counter().count())
                .isZero();
    }

    @Test
    void a_region_whose_clock_is_ahead_by_less_is_believed() {
        long ahead = TimeUnit.NANOSECONDS.toMicros(config.incarnationAhead().toNanos());
        RegionIncarnation next = new RegionIncarnation("eu-west", NOW + ahead);
        apply(usage(REAL, 1), NOW);

        apply(usage(next, 1), NOW);
        apply(usage(OTHER, 98), NOW);

        assertThat(verdictsFor()).contains(next);
        assertThat(registry.get("meridian.sync.records.implausible").counter().count())
                .isZero();
    }

    private RecordIntake intake(SimpleMeterRegistry counted) {
        RegionStats regions = new RegionStats(TimeSource.system(), config, counted);
        return new RecordIntake(
                (partition, partitions, limit) -> true,
                1,
                regions,
                new SyncMetrics(counted),
                config.incarnationAhead());
    }

    private static PartitionState partition() {
        return new PartitionState(
                0,
                new Aggregator(new AggregatorRules(
                        1_000_000,
                        1_000_000,
                        60 * MINUTE_MICROS,
                        KeySecret.parse("000102030405060708090a0b0c0d0e0f"))));
    }

    private void apply(UsageRecord usage, long appendedMicros) {
        intake.usage(partition, record(usage.key(), usage.value(), appendedMicros), true);
    }

    private List<RegionIncarnation> verdictsFor() {
        return verdictsFor(partition);
    }

    private static List<RegionIncarnation> verdictsFor(PartitionState of) {
        of.aggregate().lead(1, NOW);
        return of.aggregate().tick(NOW, 100).verdicts().stream()
                .map(VerdictRecord::incarnation)
                .toList();
    }

    private static UsageRecord usage(RegionIncarnation incarnation, long taken) {
        return new UsageRecord(
                new LimitWindow("p", "user_id=1", NOW - NOW % MINUTE_MICROS),
                incarnation,
                RULE,
                new UsageCount(taken, 0),
                0,
                1,
                0,
                incarnation.number());
    }

    private static ConsumerRecord<byte[], byte[]> record(byte[] key, byte[] value, long appendedMicros) {
        return new ConsumerRecord<>(
                "usage",
                0,
                0,
                TimeUnit.MICROSECONDS.toMillis(appendedMicros),
                TimestampType.LOG_APPEND_TIME,
                key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
    }
}
