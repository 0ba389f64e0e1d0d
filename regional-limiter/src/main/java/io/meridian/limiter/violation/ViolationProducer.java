package io.meridian.limiter.violation;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.CLIENT_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_METRICS_PUSH_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_REQUEST_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.METRIC_REPORTER_CLASSES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRIES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The producer of violations. All replicas acknowledge, because only so a retry is no duplicate (idempotence asks for it), and
 * a duplicate would count denials twice; nobody waits for the acknowledgement.
 */
final class ViolationProducer {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int REQUEST_BYTES_MAX = 1024 * 1024;
    private static final int LINGER_MILLIS = 20;
    private static final int IN_FLIGHT_MAX = 5;
    private static final int BACKOFF_MILLIS = 100;
    private static final int BACKOFF_MAX_MILLIS = 1_000;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int CONNECT_MAX_MILLIS = 10_000;

    private ViolationProducer() {}

    static Producer<byte[], byte[]> create(ViolationConfig config, String bootstrapServers) {
        Map<String, Object> options = new HashMap<>();
        options.put(BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        options.put(CLIENT_ID_CONFIG, "limiter-violations");
        delivery(options, config);
        sizes(options, config);
        backoff(options);
        // What is worth knowing of it is in our own metrics.
        options.put(METRIC_REPORTER_CLASSES_CONFIG, "");
        options.put(ENABLE_METRICS_PUSH_CONFIG, false);
        return new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The delivery timeout ends the retries, so their number need not. */
    private static void delivery(Map<String, Object> options, ViolationConfig config) {
        options.put(ACKS_CONFIG, "all");
        options.put(ENABLE_IDEMPOTENCE_CONFIG, true);
        options.put(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, IN_FLIGHT_MAX);
        options.put(RETRIES_CONFIG, Integer.MAX_VALUE);
        options.put(MAX_BLOCK_MS_CONFIG, config.maxBlock().toMillis());
        options.put(
                REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.requestTimeout().toMillis()));
        options.put(
                DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.deliveryTimeout().toMillis()));
    }

    private static void sizes(Map<String, Object> options, ViolationConfig config) {
        options.put(BUFFER_MEMORY_CONFIG, (long) config.bufferBytes());
        options.put(BATCH_SIZE_CONFIG, BATCH_BYTES);
        options.put(MAX_REQUEST_SIZE_CONFIG, REQUEST_BYTES_MAX);
        options.put(LINGER_MS_CONFIG, LINGER_MILLIS);
        options.put(COMPRESSION_TYPE_CONFIG, "lz4");
    }

    private static void backoff(Map<String, Object> options) {
        options.put(RETRY_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        options.put(RETRY_BACKOFF_MAX_MS_CONFIG, BACKOFF_MAX_MILLIS);
        options.put(RECONNECT_BACKOFF_MS_CONFIG, BACKOFF_MILLIS);
        options.put(RECONNECT_BACKOFF_MAX_MS_CONFIG, BACKOFF_MAX_MILLIS);
        options.put(SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, CONNECT_MILLIS);
        options.put(SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, CONNECT_MAX_MILLIS);
    }
}
