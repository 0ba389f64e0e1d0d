package io.meridian.config.api;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What the topic of policies says last of each key, as far as it was read. */
final class PoliciesTopic implements AutoCloseable {
    private static final TopicPartition PARTITION = new TopicPartition("policies", 0);

    private final KafkaConsumer<String, String> consumer;
    private final Map<String, Last> last = new HashMap<>();
    private String whole = "";

    /** The last record of a key: of which revision, and whether it has a value. */
    record Last(long revision, boolean present) {}

    PoliciesTopic(String brokers) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", brokers, "isolation.level", "read_committed"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.assign(List.of(PARTITION));
        consumer.seekToBeginning(List.of(PARTITION));
    }

    Map<String, Last> read() {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
            String revision = new String(record.headers().lastHeader("revision").value(), StandardCharsets.UTF_8);
            last.put(record.key(), new Last(Long.parseLong(revision), record.value() != null));
            Header topic = record.headers().lastHeader("topic");
            whole = topic == null ? whole : new String(topic.value(), StandardCharsets.UTF_8);
        }
        return last;
    }

    /** Reads to where it ends now. */
    Map<String, Last> toItsEnd() {
        long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
        while (consumer.position(PARTITION) < end) {
            read();
        }
        return last;
    }

    /** The identity of the topic that was last said to be whole, as far as it was read. */
    String whole() {
        return whole;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
