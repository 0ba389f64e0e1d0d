package io.meridian.limiter.policy.source;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;

/** How the policies topic is read: from its beginning, every time. */
final class TopicSettings {
    private TopicSettings() {}

    static Map<String, Object> of(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> settings = KafkaSettings.consumer(kafka, bootstrapServers, "meridian-policies");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        // A position that is gone means another topic: it is read anew, not skipped over.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 << 20);
        return settings;
    }
}
