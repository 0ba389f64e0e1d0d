package io.meridian.service.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Settings of one client of Kafka: how Kafka is reached (its security among it), what all our clients have in common, and what this one states of its
 * own, above all its bounds.
 */
public final class KafkaSettings {
    private final Map<String, Object> settings;

    /** A cut link is tried again soon. What is worth knowing of a client is in our own metrics. */
    private KafkaSettings(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        settings = new HashMap<>(kafka);
        with(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        with(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        with(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1_000L);
        with(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 5_000L);
        with(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 50L);
        with(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000L);
        with(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, 100L);
        with(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, 1_000L);
        with(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 10_000L);
        with(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
        with(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    }

    /** A consumer of no group, which would share a topic out where everybody reads all of it; of what was committed only. */
    public static KafkaSettings consumer(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        KafkaSettings consumer = new KafkaSettings(kafka, bootstrapServers, clientId);
        consumer.settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return consumer.with(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false)
                .with(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false)
                .with(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")
                .with(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500)
                .with(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1)
                .answeredWithin(Duration.ofSeconds(5));
    }

    /** A producer of records whose loss or repetition would count: all replicas have them, and a retry is no duplicate. */
    public static KafkaSettings producer(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        return new KafkaSettings(kafka, bootstrapServers, clientId)
                .with(ProducerConfig.ACKS_CONFIG, "all")
                .with(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true)
                .with(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE)
                .with(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1 << 20);
    }

    /** A client that asks about topics and groups. */
    public static KafkaSettings admin(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        KafkaSettings admin = new KafkaSettings(kafka, bootstrapServers, clientId);
        admin.settings.keySet().retainAll(AdminClientConfig.configNames());
        return admin;
    }

    /** Keys and values a consumer reads as text. */
    public KafkaSettings readingTexts() {
        return with(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class)
                .with(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    }

    /** Keys and values a consumer reads as bytes. */
    public KafkaSettings readingBytes() {
        return with(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)
                .with(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    }

    /** Keys and values a producer is given as text. */
    public KafkaSettings writingTexts() {
        return with(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class)
                .with(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    }

    /** Keys and values a producer is given as bytes. */
    public KafkaSettings writingBytes() {
        return with(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class)
                .with(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    }

    /** How much a consumer takes in at once. */
    public KafkaSettings fetching(int recordsMax, int partitionBytesMax, int bytesMax) {
        return with(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, recordsMax)
                .with(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, partitionBytesMax)
                .with(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, bytesMax);
    }

    /** How a producer collects records, and how many bytes may wait for their acknowledgement. */
    public KafkaSettings batching(String compression, Duration linger, int batchBytes, long waitingBytesMax) {
        return with(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression)
                .with(ProducerConfig.LINGER_MS_CONFIG, linger.toMillis())
                .with(ProducerConfig.BATCH_SIZE_CONFIG, batchBytes)
                .with(ProducerConfig.BUFFER_MEMORY_CONFIG, waitingBytesMax);
    }

    /** How long a producer blocks its caller, waits for one answer, and tries to deliver a record. */
    public KafkaSettings delivering(Duration maxBlock, Duration answeredWithin, Duration deliveredWithin) {
        return with(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlock.toMillis())
                .with(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(answeredWithin))
                .with(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(deliveredWithin));
    }

    /** How long a consumer or an admin waits for one answer, and for the outcome of one call. */
    public KafkaSettings answeredWithin(Duration timeout) {
        return with(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, millis(timeout))
                .with(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(timeout));
    }

    public KafkaSettings with(String name, Object value) {
        settings.put(name, value);
        return this;
    }

    /** A copy of them. */
    public Map<String, Object> asMap() {
        return new HashMap<>(settings);
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
