package io.meridian.stack.servers;

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

    /** One leader sees all of a shard: what is said of a partition of usage is in the same partition of verdicts. */
    private static final int SHARD_PARTITIONS = 16;
    /** The longest window is a month; what is older speaks of no window that still counts. */
    private static final Duration SHARD_RETENTION = Duration.ofDays(32);

    private static final List<NewTopic> ALL = List.of(
            compacted("policies", 1),
            new NewTopic("violations", 4, REPLICAS),
            sharded("usage", "LogAppendTime"),
            sharded("verdicts", "CreateTime"),
            kept("reports", Duration.ofHours(1)),
            kept("questions", Duration.ofMinutes(10)),
            kept("answers", Duration.ofMinutes(10)),
            kept("operations", Duration.ofDays(30)));

    private Topics() {}

    private static NewTopic compacted(String name, int partitions) {
        return new NewTopic(name, partitions, REPLICAS)
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    /**
     * A topic of the latest word per limit and window. Only closed segments are compacted, so that they are of an hour.
     *
     * @param timestamps whose clock is in the records; the broker's own tells how far off a region's is
     */
    private static NewTopic sharded(String name, String timestamps) {
        return new NewTopic(name, SHARD_PARTITIONS, REPLICAS)
                .configs(Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE,
                        TopicConfig.RETENTION_MS_CONFIG,
                        Long.toString(SHARD_RETENTION.toMillis()),
                        TopicConfig.SEGMENT_MS_CONFIG,
                        Long.toString(Duration.ofHours(1).toMillis()),
                        TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                        "0.3",
                        TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                        Long.toString(Duration.ofHours(1).toMillis()),
                        TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
                        Long.toString(Duration.ofHours(6).toMillis()),
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        timestamps));
    }

    /** A topic of what means nothing after some time. Only whole segments are deleted, so they are of half the time. */
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
