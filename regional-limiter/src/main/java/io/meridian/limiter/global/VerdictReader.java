package io.meridian.limiter.global;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.model.wire.WireException;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicFollower;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Reader of the topic of verdicts. Each start goes back by as long as nobody of this region may have read; what was applied before is applied again, which
 * changes nothing.
 */
final class VerdictReader implements TopicFollower.Handler<byte[], byte[]> {
    private static final Logger LOG = Logger.getLogger(VerdictReader.class);

    private final VerdictApplier applier;
    private final LeaderTracker contact;
    private final RegionFloors floors;
    private final LimitKeys keys;
    private int partitions;
    private boolean misplacedLogged;

    VerdictReader(VerdictApplier applier, LeaderTracker contact, RegionFloors floors, LimitKeys keys) {
        this.applier = applier;
        this.contact = contact;
        this.floors = floors;
        this.keys = keys;
    }

    /** Every instance reads all of it: its leases are its own. */
    static KafkaSettings settings(Map<String, Object> kafka, String bootstrapServers) {
        return KafkaSettings.consumer(kafka, bootstrapServers, "limiter-verdicts")
                .readingBytes()
                // Verdicts that the log has deleted are expired, so reading goes on at its end.
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                .fetching(2_000, 1 << 20, 8 << 20);
    }

    @Override
    public void began(Map<TopicPartition, Long> ends) {
        partitions = ends.size();
        contact.partitions(partitions);
        floors.partitions(partitions);
    }

    @Override
    public void take(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() == null || record.value() == null) {
                continue;
            }
            contact.heard(record.partition());
            try {
                if (FloorRight.isFloorRight(record.key())) {
                    floors.heard(record.partition(), FloorRight.decode(record.key(), record.value()));
                } else if (LeaderBeat.isBeat(record.key())) {
                    contact.beat(record.partition(), LeaderBeat.decode(record.value()));
                } else {
                    take(record.partition(), VerdictRecord.decode(record.key(), record.value()));
                }
            } catch (WireException unreadable) {
                LOG.warnf("a verdict is skipped: reason=%s", unreadable.getMessage());
            }
        }
        contact.refresh();
        try {
            applier.apply();
        } catch (ExecutionException | TimeoutException away) {
            LOG.debugf("verdicts wait for the region: reason=%s", away);
        }
    }

    /** A verdict of another leader on a limit is of another secret, and so are its grants: they would be spent a second time here. */
    private void take(int partition, VerdictRecord verdict) {
        int own = keys.shard(verdict.limit().policyId(), verdict.limit().key()).partition(partitions);
        if (own == partition) {
            applier.heard(verdict);
        } else if (!misplacedLogged) {
            misplacedLogged = true;
            LOG.warnf(
                    "verdicts are skipped that belong to another partition: they were said under another meridian.keys.secret:"
                            + " partition=%d",
                    partition);
        }
    }
}
