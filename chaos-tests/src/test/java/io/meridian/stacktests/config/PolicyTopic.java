package io.meridian.stacktests.config;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The topic of policies, for whoever reads what was committed. */
final class PolicyTopic {
    private static final TopicPartition PARTITION = new TopicPartition("policies", 0);
    private static final Duration POLL = Duration.ofMillis(100);
    /** The key under which the topic says how far it is. */
    private static final String MARKER = "revision";

    private PolicyTopic() {}

    /** What a record says. */
    record Told(long revision, long position, String key, String value) {
        private static Told of(ConsumerRecord<String, String> record) {
            return new Told(
                    number(record, "revision"),
                    number(record, "position"),
                    record.key(),
                    String.valueOf(record.value()));
        }

        private static long number(ConsumerRecord<String, String> record, String name) {
            return Long.parseLong(new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8));
        }
    }

    /** All that it says of entries, in its order. */
    static List<Told> read(String bootstrapServers) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "key.deserializer",
                StringDeserializer.class,
                "value.deserializer",
                StringDeserializer.class);
        List<Told> told = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
            while (consumer.position(PARTITION) < end) {
                consumer.poll(POLL).forEach(record -> told.add(Told.of(record)));
            }
        }
        told.removeIf(each -> each.key().equals(MARKER));
        return told;
    }
}
