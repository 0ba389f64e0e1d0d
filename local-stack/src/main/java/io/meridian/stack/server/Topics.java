package io.meridian.stack.server;

import io.meridian.stack.process.StartFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** The topics that the services share. Brokers make none by themselves, so that a typo is not a topic. */
public final class Topics {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final short REPLICAS = 1;

    private static final List<NewTopic> ALL = List.of(
            compacted("policies", 1),
            new NewTopic("violations", 4, REPLICAS),
            compacted("usage", 8),
            kept("reports", Duration.ofHours(1)),
            kept("questions", Duration.ofMinutes(10)),
            kept("answers", Duration.ofMinutes(10)));

    private Topics() {}

    private static NewTopic compacted(String name, int partitions) {
        return new NewTopic(name, partitions, REPLICAS)
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /** A topic of what soon means nothing. Only whole segments are deleted, so they are of half the time. */
    private static NewTopic kept(String name, Duration time) {
        return new NewTopic(name, 1, REPLICAS)
                .configs(Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(time.toMillis()),
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(time.dividedBy(2).toMillis())));
    }

    /** Makes those that are not there yet. */
    public static void ensure(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS,
                AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false))) {
            for (var made : admin.createTopics(ALL).values().entrySet()) {
                try {
                    made.getValue().get();
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof TopicExistsException)) {
                        throw new StartFailure("The topic " + made.getKey() + " cannot be made: " + e.getCause(), e);
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartFailure("Interrupted while the topics were made", interrupted);
        }
    }
}
