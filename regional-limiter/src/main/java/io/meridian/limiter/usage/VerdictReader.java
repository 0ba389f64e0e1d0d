package io.meridian.limiter.usage;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.model.wire.WireException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Follows the topic of verdicts, on a thread of its own, for ever; a Kafka that is away is waited for. */
final class VerdictReader implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(VerdictReader.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, Object> options;
    private final String topic;
    private final Duration readBack;
    private final VerdictApplier applier;
    private final CentreContact contact;
    private final RegionFloors floors;
    private final LimitKeys keys;
    private final TimeSource time;
    private final Thread thread = new Thread(this::run, "verdicts");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private String told = "";
    private int partitions;
    private boolean misplacedTold;

    VerdictReader(
            Map<String, Object> options,
            String topic,
            Duration readBack,
            VerdictApplier applier,
            CentreContact contact,
            RegionFloors floors,
            LimitKeys keys,
            TimeSource time) {
        this.options = options;
        this.topic = topic;
        this.readBack = readBack;
        this.applier = applier;
        this.contact = contact;
        this.floors = floors;
        this.keys = keys;
        this.time = time;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (closed.getCount() > 0) {
            try (KafkaConsumer<byte[], byte[]> own = new KafkaConsumer<>(options)) {
                consumer = own;
                follow(own);
            } catch (WakeupException | InterruptException ending) {
                LOG.debugf("reading ends: topic=%s", topic);
            } catch (InterruptedException interrupted) {
                closed.countDown();
            } catch (RuntimeException away) {
                pause(away instanceof KafkaException ? "cannot be read now" : "failed: " + away);
            }
        }
    }

    private void follow(KafkaConsumer<byte[], byte[]> own) throws InterruptedException {
        List<PartitionInfo> found = own.partitionsFor(topic);
        if (found == null || found.isEmpty()) {
            pause("does not exist");
            return;
        }
        partitions = found.size();
        contact.partitions(partitions);
        floors.partitions(partitions);
        own.assign(found.stream()
                .map(each -> new TopicPartition(topic, each.partition()))
                .toList());
        seekBack(own);
        told = "";
        while (closed.getCount() > 0) {
            take(own.poll(POLL));
        }
    }

    /**
     * Back by as long as nobody of this region may have read; what was applied before is applied again, which changes nothing. Where
     * nothing is as young, from where it ended before that was asked: what comes meanwhile is read too.
     */
    private void seekBack(KafkaConsumer<byte[], byte[]> own) {
        Map<TopicPartition, Long> ends = own.endOffsets(own.assignment());
        long fromMillis = TimeUnit.MICROSECONDS.toMillis(time.wallMicros()) - readBack.toMillis();
        Map<TopicPartition, @Nullable OffsetAndTimestamp> from = own.offsetsForTimes(
                own.assignment().stream().collect(Collectors.toMap(each -> each, each -> fromMillis)));
        from.forEach((partition, offset) ->
                own.seek(partition, offset == null ? ends.getOrDefault(partition, 0L) : offset.offset()));
    }

    private void take(ConsumerRecords<byte[], byte[]> records) throws InterruptedException {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() == null || record.value() == null) {
                continue;
            }
            contact.heard(record.partition());
            try {
                if (FloorRight.isFloorRight(record.key())) {
                    floors.heard(record.partition(), FloorRight.decode(record.key(), record.value()));
                } else if (!LeaderBeat.isBeat(record.key())) {
                    heard(record.partition(), VerdictRecord.decode(record.key(), record.value()));
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

    /** Another leader's word on a limit is of another secret, and so are its grants: they would be spent a second time here. */
    private void heard(int partition, VerdictRecord verdict) {
        int own = keys.shard(verdict.limit().policyId(), verdict.limit().key()).partition(partitions);
        if (own == partition) {
            applier.heard(verdict);
        } else if (!misplacedTold) {
            misplacedTold = true;
            LOG.warnf(
                    "verdicts are skipped that belong to another partition: they were said under another meridian.keys.secret:"
                            + " partition=%d",
                    partition);
        }
    }

    /** What has not changed is told once. */
    private void pause(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warnf("the topic of verdicts %s, this region knows nothing new of others: topic=%s", reason, topic);
        }
        try {
            boolean unused = closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        KafkaConsumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
