package io.meridian.limiter.usage;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes use to Kafka, for one thread. A producer that cannot be made is tried again; Kafka's absence is said once. */
final class UsageLog implements UsageSink, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(UsageLog.class);
    private static final Duration CREATE_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Map<String, Object> options;
    private final String topic;
    private final LimitKeys keys;
    private final TimeSource time;
    private @Nullable KafkaProducer<byte[], byte[]> producer;
    private volatile boolean away;
    private volatile boolean broken;
    private long failedNanos;
    private int partitions;

    UsageLog(Map<String, Object> options, String topic, LimitKeys keys, TimeSource time) {
        this.options = options;
        this.topic = topic;
        this.keys = keys;
        this.time = time;
        this.failedNanos = time.monotonicNanos() - CREATE_AGAIN_AFTER.toNanos();
    }

    @Override
    public CompletionStage<Void> write(List<UsageRecord> records) {
        try {
            KafkaProducer<byte[], byte[]> sender = sender();
            return sent(records.stream().map(record -> send(sender, record)));
        } catch (KafkaException refused) {
            note(refused);
            return CompletableFuture.failedFuture(refused);
        }
    }

    @Override
    public CompletionStage<Void> announce(RegionAnnouncement announcement) {
        try {
            KafkaProducer<byte[], byte[]> sender = sender();
            return sent(IntStream.range(0, partitions)
                    .mapToObj(partition -> send(sender, partition, announcement.key(), announcement.value())));
        } catch (KafkaException refused) {
            note(refused);
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletionStage<Void> sent(Stream<CompletableFuture<Void>> each) {
        return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> note(failure));
    }

    private CompletableFuture<Void> send(KafkaProducer<byte[], byte[]> sender, UsageRecord record) {
        int partition =
                keys.shard(record.limit().policyId(), record.limit().key()).partition(partitions);
        return send(sender, partition, record.key(), record.value());
    }

    private CompletableFuture<Void> send(
            KafkaProducer<byte[], byte[]> sender, int partition, byte[] key, byte[] value) {
        CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        var unused = sender.send(new ProducerRecord<>(topic, partition, key, value), (metadata, failure) -> {
            if (failure == null) {
                acknowledged.complete(null);
            } else {
                acknowledged.completeExceptionally(failure);
            }
        });
        return acknowledged;
    }

    private KafkaProducer<byte[], byte[]> sender() {
        if (time.monotonicNanos() - failedNanos < CREATE_AGAIN_AFTER.toNanos()) {
            throw new TimeoutException("Kafka was away a moment ago");
        }
        try {
            if (broken) {
                close();
                producer = null;
                partitions = 0;
                broken = false;
            }
            if (producer == null) {
                producer = new KafkaProducer<>(options);
            }
            if (partitions == 0) {
                List<PartitionInfo> found = producer.partitionsFor(topic);
                partitions = found.size();
            }
            return producer;
        } catch (KafkaException unreachable) {
            failedNanos = time.monotonicNanos();
            throw unreachable;
        }
    }

    /** A producer that failed otherwise than for want of a Kafka may be past use, and gives way to a new one. */
    private void note(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        broken |= cause != null && !(cause instanceof RetriableException);
        if (failure != null && !away) {
            LOG.warnf("Kafka does not take usage, it waits in the region: topic=%s reason=%s", topic, failure);
        } else if (failure == null && away) {
            LOG.infof("Kafka takes usage again: topic=%s", topic);
        }
        away = failure != null;
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(CLOSE_TIMEOUT);
        }
    }
}
