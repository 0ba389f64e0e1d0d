package io.meridian.config.history;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** How usage, violations and operations are read: from the position that PostgreSQL has. */
final class IntakeSettings {
    private IntakeSettings() {}

    static Map<String, Object> of(Map<String, Object> kafka, String bootstrapServers, int batchMax) {
        Map<String, Object> settings = KafkaSettings.consumer(kafka, bootstrapServers, "meridian-history");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        // What Kafka no longer has is not waited for: reading goes on with the oldest that is there.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, batchMax);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        return settings;
    }
}
