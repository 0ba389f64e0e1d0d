package io.meridian.sync;

import io.meridian.stack.servers.Topics;
import io.meridian.testkit.servers.ServerResource.KafkaResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/** A Kafka with the topics that the services share, and a replica that keeps its place however busy the machine is. */
public final class KafkaWithTopics implements QuarkusTestResourceLifecycleManager {
    private final KafkaResource kafka = new KafkaResource();

    @Override
    public Map<String, String> start() {
        Map<String, String> settings = new HashMap<>(kafka.start());
        settings.values().forEach(Topics::ensure);
        settings.put("meridian.sync.session", "600S");
        settings.put("meridian.sync.stall", "600S");
        settings.put("meridian.sync.transaction-timeout", "600S");
        settings.put("meridian.sync.answer-within", "120S");
        return settings;
    }

    @Override
    public void stop() {
        kafka.stop();
    }
}
