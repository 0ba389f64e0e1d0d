package io.meridian.config;

import io.meridian.stack.servers.Topics;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** A Kafka with the topics that the services share. */
public final class KafkaWithTopics implements QuarkusTestResourceLifecycleManager {
    private final KafkaResource kafka = new KafkaResource();

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = kafka.start();
        settings.values().forEach(Topics::ensure);
        return settings;
    }

    @Override
    public void stop() {
        kafka.stop();
    }
}
