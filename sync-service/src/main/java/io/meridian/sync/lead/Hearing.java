package io.meridian.sync.lead;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeatCodec;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageCodec;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictCodec;
import io.meridian.model.wire.WireException;
import io.meridian.sync.metrics.SyncMetrics;
import io.meridian.sync.region.Regions;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jboss.logging.Logger;

/** Understands records. What is not a record of ours is skipped and counted: it would be there again at every start. */
final class Hearing {
    private static final Logger LOG = Logger.getLogger(Hearing.class);

    private final Regions regions;
    private final SyncMetrics metrics;

    Hearing(Regions regions, SyncMetrics metrics) {
        this.regions = regions;
        this.metrics = metrics;
    }

    /** @param live whether it has just come; of older ones nothing is to be learnt of delays */
    void usage(Partition partition, ConsumerRecord<byte[], byte[]> record, boolean live) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        long appendedMicros = TimeUnit.MILLISECONDS.toMicros(record.timestamp());
        UsageRecord usage;
        try {
            if (RegionAnnouncement.isAnnouncement(record.key())) {
                announcement(partition, RegionAnnouncement.decode(record.key(), record.value()), appendedMicros, live);
                return;
            }
            usage = UsageCodec.decode(record.key(), record.value());
        } catch (WireException unreadable) {
            skip(record, unreadable);
            return;
        }
        partition.heard(usage);
        metrics.heard();
        if (live) {
            String region = usage.life().region();
            regions.heard(region, usage.sentMicros(), appendedMicros);
            partition.arrived(region, appendedMicros);
        }
    }

    private void announcement(Partition partition, RegionAnnouncement announcement, long appendedMicros, boolean live) {
        partition.announced(announcement);
        if (live) {
            regions.heard(announcement.life().region(), announcement.sentMicros(), appendedMicros);
        }
    }

    void verdict(Partition partition, ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null) {
            return;
        }
        try {
            if (LeaderBeatCodec.isBeat(record.key())) {
                partition.beat(LeaderBeatCodec.decode(record.value()));
            } else if (FloorRight.isFloorRight(record.key())) {
                partition.floor(FloorRight.decode(record.key(), record.value()));
            } else {
                partition.said(VerdictCodec.decode(record.key(), record.value()));
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
