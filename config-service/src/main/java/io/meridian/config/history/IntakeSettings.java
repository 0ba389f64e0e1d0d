package io.meridian.config.history;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** How usage and violations are read: by no group, from the position that PostgreSQL has, and what was committed only. */
final class IntakeSettings {
    private IntakeSettings() {}

    /** The settings of a consumer, on top of those by which the Kafka is reached (its security among them). */
    static Map<String, Object> of(Map<String, Object> kafka, String bootstrapServers, int batchMax) {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "meridian-history");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // What Kafka no longer has is not waited for: reading goes on with the oldest that is there.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, batchMax);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        settings.put(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 1_000L);
        settings.put(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 5_000L);
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG, 50L);
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000L);
        settings.put(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, 100L);
        settings.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 10_000L);
        settings.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
        settings.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return settings;
    }
}
