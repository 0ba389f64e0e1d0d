package io.meridian.chaos.global;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Usage;
import io.meridian.model.wire.UsageCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topic of usage from its beginning: what the regions have told the world. For one thread. */
final class UsageTopic implements AutoCloseable {
    private static final String TOPIC = "usage";
    private static final Duration POLL = Duration.ofMillis(20);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final UsageTotals totals = new UsageTotals();

    private UsageTopic(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        partitions = consumer.partitionsFor(TOPIC).stream()
                .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads past the links, which a scenario may cut. */
    static UsageTopic open(String bootstrapServers) {
        return new UsageTopic(new KafkaConsumer<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class)));
    }

    /** What was reported by now, of the window that ends there. */
    Usage of(Subject subject, Windows windows, long endMicros) {
        readOn();
        return totals.of(new LimitWindow(subject.policy(), subject.key(), windows.startMicros(endMicros)));
    }

    private void readOn() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                // Without a value the record only says that another may be forgotten.
                if (record.value() != null) {
                    totals.add(UsageCodec.decode(record.key(), record.value()));
                }
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
