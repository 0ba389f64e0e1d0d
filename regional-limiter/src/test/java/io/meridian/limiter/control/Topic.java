package io.meridian.limiter.control;

import io.meridian.model.wire.ViolationRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What stands in a topic of violations. */
final class Topic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final List<ViolationRecord> seen = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> consumer;

    Topic(String bootstrapServers, String name) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(name).stream()
                .map(partition -> new TopicPartition(name, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** All records so far. */
    List<ViolationRecord> records() {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
            seen.add(ViolationRecord.decode(each.key(), each.value()));
        }
        return List.copyOf(seen);
    }

    /** How many denials they tell of. */
    long denials() {
        return records().stream().mapToLong(ViolationRecord::count).sum();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
