package io.meridian.model.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * What all our readers and writers of Kafka have in common, on top of how the Kafka is reached (its security among it). Sizes,
 * serializers and what a producer waits for are each one's own. By the names of the settings, because the model has no client.
 */
public final class KafkaSettings {
    private KafkaSettings() {}

    /** By no group, which would share a topic out where everybody reads all of it, and what was committed only. */
    public static Map<String, Object> consumer(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        Map<String, Object> settings = common(kafka, bootstrapServers, clientId);
        settings.remove("group.id");
        settings.put("enable.auto.commit", false);
        settings.put("allow.auto.create.topics", false);
        settings.put("isolation.level", "read_committed");
        settings.put("fetch.max.wait.ms", 500);
        settings.put("fetch.min.bytes", 1);
        settings.put("request.timeout.ms", 5_000);
        settings.put("default.api.timeout.ms", 5_000);
        return settings;
    }

    /** Records whose loss or repetition would count: all replicas have them, and a retry is no duplicate. */
    public static Map<String, Object> producer(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        Map<String, Object> settings = common(kafka, bootstrapServers, clientId);
        settings.put("acks", "all");
        settings.put("enable.idempotence", true);
        settings.put("retries", Integer.MAX_VALUE);
        settings.put("max.request.size", 1 << 20);
        return settings;
    }

    /** A cut link is tried again soon. What is worth knowing of a client is in our own metrics. */
    private static Map<String, Object> common(Map<String, Object> kafka, String bootstrapServers, String clientId) {
        Map<String, Object> settings = new HashMap<>(kafka);
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("client.id", clientId);
        settings.put("socket.connection.setup.timeout.ms", 1_000L);
        settings.put("socket.connection.setup.timeout.max.ms", 5_000L);
        settings.put("reconnect.backoff.ms", 50L);
        settings.put("reconnect.backoff.max.ms", 1_000L);
        settings.put("retry.backoff.ms", 100L);
        settings.put("retry.backoff.max.ms", 1_000L);
        settings.put("metadata.max.age.ms", 10_000L);
        settings.put("metric.reporters", "");
        settings.put("enable.metrics.push", false);
        return settings;
    }
}
