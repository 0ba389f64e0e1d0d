package io.meridian.config.regions;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** How limiters are asked and listened to. */
final class KafkaOptions {
    private KafkaOptions() {}

    /** A question that is not taken at once is refused to whoever asks. */
    static Map<String, Object> producer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.producer(kafka, bootstrapServers, "config-questions");
        options.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        options.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        options.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 16 << 10);
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 1L << 20);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000L);
        options.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1_500);
        options.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2_000);
        return options;
    }

    /** Every replica hears all. */
    static Map<String, Object> consumer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.consumer(kafka, bootstrapServers, "config-regions");
        options.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        options.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        options.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        options.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        options.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        return options;
    }
}
