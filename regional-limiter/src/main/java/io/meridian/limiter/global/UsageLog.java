package io.meridian.limiter.global;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.RecordSender;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Writer of usage to Kafka, for one thread. */
final class UsageLog implements UsageSink, AutoCloseable {
    private final RecordSender<byte[], byte[]> sender;
    private final String topic;
    private final LimitKeys keys;
    private int partitions;

    private UsageLog(KafkaSettings settings, String topic, LimitKeys keys, TimeSource time) {
        Map<String, Object> options = settings.asMap();
        this.sender = new RecordSender<>("usage", "it waits in the region", () -> new KafkaProducer<>(options), time);
        this.topic = topic;
        this.keys = keys;
    }

    /** Of limits that regions share: what is not acknowledged soon is reported again with newer counts, so nothing is tried for long. */
    static UsageLog shared(
            Map<String, Object> kafka, String bootstrapServers, String topic, LimitKeys keys, TimeSource time) {
        return new UsageLog(settings(kafka, bootstrapServers), topic, keys, time);
    }

    /** Of a region's own limits: for the record, and so in large batches. */
    static UsageLog regional(
            Map<String, Object> kafka, String bootstrapServers, String topic, LimitKeys keys, TimeSource time) {
        KafkaSettings settings = settings(kafka, bootstrapServers)
                .with(ProducerConfig.CLIENT_ID_CONFIG, "limiter-usage-regional")
                .with(ProducerConfig.LINGER_MS_CONFIG, 20L)
                .with(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
        return new UsageLog(settings, topic, keys, time);
    }

    private static KafkaSettings settings(Map<String, Object> kafka, String bootstrapServers) {
        return KafkaSettings.producer(kafka, bootstrapServers, "limiter-usage")
                .writingBytes()
                .batching("lz4", Duration.ZERO, 64 << 10, 16L << 20)
                .delivering(Duration.ofMillis(500), Duration.ofMillis(1_500), Duration.ofSeconds(3));
    }

    @Override
    public CompletionStage<Void> write(List<UsageRecord> records) {
        return send(() -> records.stream().map(this::record));
    }

    @Override
    public CompletionStage<Void> announce(RegionAnnouncement announcement) {
        return send(() -> IntStream.range(0, partitions)
                .mapToObj(
                        partition -> new ProducerRecord<>(topic, partition, announcement.key(), announcement.value())));
    }

    private ProducerRecord<byte[], byte[]> record(UsageRecord usage) {
        int partition =
                keys.shard(usage.limit().policyId(), usage.limit().key()).partition(partitions);
        return new ProducerRecord<>(topic, partition, usage.key(), usage.value());
    }

    /** Records are made when it is known how many partitions the topic has. */
    private CompletionStage<Void> send(Supplier<Stream<ProducerRecord<byte[], byte[]>>> records) {
        try {
            if (partitions == 0) {
                partitions = sender.partitions(topic);
            }
            return sender.send(records.get().toList());
        } catch (KafkaException away) {
            return CompletableFuture.failedFuture(away);
        }
    }

    @Override
    public void close() {
        sender.close();
    }
}
