package io.meridian.config.regions;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** How the topics between limiters and the centre are written and read, on top of how the Kafka is reached. */
final class KafkaOptions {
    private KafkaOptions() {}

    /** A question that is not taken at once is refused to whoever asks, and does no harm twice. */
    static Map<String, Object> producer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = new HashMap<>(kafka);
        options.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        options.put(ProducerConfig.CLIENT_ID_CONFIG, "config-questions");
        options.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        options.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        options.put(ProducerConfig.ACKS_CONFIG, "1");
        options.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        options.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 16 << 10);
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 1L << 20);
        options.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1 << 20);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000L);
        options.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 1_500);
        options.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2_000);
        options.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 100L);
        options.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, 10_000L);
        options.put(ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
        options.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        connections(options);
        return options;
    }

    /** By no group: every replica hears all. */
    static Map<String, Object> consumer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = new HashMap<>(kafka);
        options.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        options.put(ConsumerConfig.CLIENT_ID_CONFIG, "config-regions");
        options.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        options.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        options.remove(ConsumerConfig.GROUP_ID_CONFIG);
        options.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        options.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        options.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        options.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        options.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        options.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        options.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        options.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        options.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        options.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        options.put(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, 100L);
        options.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 10_000L);
        options.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
        options.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        connections(options);
        return options;
    }

    private static void connections(Map<String, Object> options) {
        options.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1_000L);
        options.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 5_000L);
        options.put(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG, 50L);
        options.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000L);
    }
}
