package io.meridian.limiter.usage;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How use is told and verdicts are read. */
final class KafkaOptions {
    private KafkaOptions() {}

    /** What is not acknowledged soon is told again with newer counts, so nothing is tried for long. */
    static Map<String, Object> producer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.producer(kafka, bootstrapServers, "limiter-usage");
        options.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        options.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        options.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 16L << 20);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 500L);
        options.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1_500);
        options.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 3_000);
        return options;
    }

    /** For the record, and so in large batches. */
    static Map<String, Object> regionalProducer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = producer(kafka, bootstrapServers);
        options.put(ProducerConfig.CLIENT_ID_CONFIG, "limiter-usage-regional");
        options.put(ProducerConfig.LINGER_MS_CONFIG, 20L);
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
        return options;
    }

    /** Every instance reads all of it: its leases are its own. */
    static Map<String, Object> consumer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.consumer(kafka, bootstrapServers, "limiter-verdicts");
        options.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        options.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        // What the log no longer has is over; what comes next is not to be missed.
        options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        options.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        options.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        options.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        return options;
    }
}
