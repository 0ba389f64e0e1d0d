package io.meridian.limiter.policy.source;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;

/** How the policies topic is read: by no group, from its beginning, and what was committed only. */
final class TopicSettings {
    private TopicSettings() {}

    /** The settings of a consumer, on top of those by which the Kafka is reached (its security among them). */
    static Map<String, Object> of(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "meridian-policies");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        // A position that is gone means another topic: it is read anew, not skipped over.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 << 20);
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
        return settings;
    }
}
