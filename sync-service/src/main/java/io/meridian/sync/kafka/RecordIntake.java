package io.meridian.sync.kafka;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.model.wire.WireException;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.jboss.logging.Logger;

/**
 * Decoding and application of records. What cannot be decoded, and what belongs to another partition, is skipped and counted: it would be there
 * again at every start.
 *
 * <p>So is a report on an incarnation that began more than {@code incarnation-ahead} after the broker took the report. An incarnation is
 * the time at which a region's data began, and verdicts are for the last one of a region alone, so one from the future would shut the
 * region's real data out for good. By the broker's time and not this replica's: all replicas that read the record come to the same result,
 * whenever they read it.
 */
final class RecordIntake {
    private static final Logger LOG = Logger.getLogger(RecordIntake.class);
    private static final int REFUSED_LOGGED_MAX = 100;
    private static final int REGIONS_LOGGED_MAX = 64;

    private final Placement placement;
    private final int partitions;
    private final RegionStats regions;
    private final SyncMetrics metrics;
    private final long incarnationAheadMicros;
    private final Set<RegionIncarnation> refused = new HashSet<>();
    /** Regions whose usage is refused now; logged once each while the replica's clients live. */
    private final Set<String> misplaced = new HashSet<>();

    private boolean warnedOfTimestamps;

    /**
     * Partition to which a limit belongs. A limiter with another secret reports a limit to another partition, whose leader would grant it a
     * second time.
     */
    interface Placement {
        /** The partition of so many; usage that came to another one is refused. */
        boolean isAt(int partition, int partitions, LimitWindow limit);

        static Placement under(LimitKeys keys) {
            return (partition, partitions, limit) ->
                    keys.shard(limit.policyId(), limit.key()).partition(partitions) == partition;
        }
    }

    RecordIntake(
            Placement placement, int partitions, RegionStats regions, SyncMetrics metrics, Duration incarnationAhead) {
        this.placement = placement;
        this.partitions = partitions;
        this.regions = regions;
        this.metrics = metrics;
        this.incarnationAheadMicros = TimeUnit.NANOSECONDS.toMicros(incarnationAhead.toNanos());
    }

    /** @param live whether it has just come; older ones say nothing about delays */
    void usage(PartitionState partition, ConsumerRecord<byte[], byte[]> record, boolean live) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        long appendedMicros = TimeUnit.MILLISECONDS.toMicros(record.timestamp());
        warnOfTimestamps(record);
        UsageRecord usage;
        try {
            if (RegionAnnouncement.isAnnouncement(record.key())) {
                announcement(partition, RegionAnnouncement.decode(record.key(), record.value()), appendedMicros, live);
                return;
            }
            usage = UsageRecord.decode(record.key(), record.value());
        } catch (WireException unreadable) {
            skip(record, unreadable);
            return;
        }
        if (!isPlausible(usage.incarnation(), appendedMicros, live)) {
            return;
        }
        String region = usage.incarnation().region();
        if (!placement.isAt(partition.number(), partitions, usage.limit())) {
            misplaced(partition, region, live);
            return;
        }
        partition.applyUsage(usage, arrivedMicros(appendedMicros, live));
        metrics.usageApplied();
        if (live) {
            regions.reported(region, usage.sentMicros(), appendedMicros);
            partition.arrived(region, appendedMicros);
        }
    }

    /** A live record arrived now, whatever the broker's clock says. */
    private static long arrivedMicros(long appendedMicros, boolean live) {
        return live ? Aggregator.JUST_NOW : appendedMicros;
    }

    /** Refuses usage. If it is older than this start, it may be under a secret that was replaced since, and does not concern limiters now. */
    private void misplaced(PartitionState partition, String region, boolean live) {
        if (!live) {
            return;
        }
        metrics.misplaced();
        if (misplaced.size() < REGIONS_LOGGED_MAX && misplaced.add(region)) {
            LOG.errorf(
                    "usage is refused that belongs to another partition: a limiter has another meridian.keys.secret than this"
                            + " replica: region=%s partition=%d",
                    region, partition.number());
        }
    }

    private void announcement(
            PartitionState partition, RegionAnnouncement announcement, long appendedMicros, boolean live) {
        if (!isPlausible(announcement.incarnation(), appendedMicros, live)) {
            return;
        }
        partition.applyAnnouncement(announcement, arrivedMicros(appendedMicros, live));
        if (live) {
            regions.reported(announcement.incarnation().region(), announcement.sentMicros(), appendedMicros);
        }
    }

    /** False if the region's data had not begun when the broker took the report; counted when it comes, and not again at every start. */
    private boolean isPlausible(RegionIncarnation incarnation, long appendedMicros, boolean live) {
        if (incarnation.number() <= appendedMicros + incarnationAheadMicros) {
            return true;
        }
        if (live) {
            metrics.implausible();
        }
        if (refused.size() < REFUSED_LOGGED_MAX && refused.add(incarnation)) {
            LOG.errorf(
                    "a report is refused, because its incarnation is in the future; it was forged, or the region's clock is far ahead:"
                            + " region=%s incarnation=%d appended=%d",
                    incarnation.region(), incarnation.number(), appendedMicros);
        }
        return false;
    }

    /** A record's time is of no use as its arrival if a producer chose it. */
    private void warnOfTimestamps(ConsumerRecord<byte[], byte[]> record) {
        if (!warnedOfTimestamps && record.timestampType() != TimestampType.LOG_APPEND_TIME) {
            warnedOfTimestamps = true;
            LOG.warnf(
                    "regions can choose the time of their reports: set message.timestamp.type=LogAppendTime: topic=%s",
                    record.topic());
        }
    }

    void verdict(PartitionState partition, ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        try {
            if (LeaderBeat.isBeat(record.key())) {
                partition.applyBeat(LeaderBeat.decode(record.value()));
            } else if (FloorRight.isFloorRight(record.key())) {
                partition.applyFloor(FloorRight.decode(record.key(), record.value()));
            } else {
                VerdictRecord verdict = VerdictRecord.decode(record.key(), record.value());
                // A verdict under another secret granted what this leader grants anew.
                if (placement.isAt(partition.number(), partitions, verdict.limit())) {
                    partition.applyVerdict(verdict);
                }
            }
        } catch (WireException unreadable) {
            skip(record, unreadable);
        }
    }

    private void skip(ConsumerRecord<byte[], byte[]> record, WireException unreadable) {
        metrics.unreadable();
        LOG.warnf(
                "a record cannot be read and is skipped: topic=%s partition=%d offset=%d reason=%s",
                record.topic(), record.partition(), record.offset(), unreadable.getMessage());
    }
}
