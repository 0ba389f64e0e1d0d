package io.meridian.config.history;

import io.meridian.config.ops.HistoryMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jboss.logging.Logger;

/**
 * Takes one batch after the other from Kafka into the history. It believes nothing that it remembers after a step that did not
 * end well: the next one asks PostgreSQL where to go on.
 */
final class Intake {
    private static final Logger LOG = Logger.getLogger(Intake.class);
    /** Result of a step. */
    enum Step {
        /** There is no topic to read. */
        NO_TOPIC,
        /** There was nothing new. */
        IDLE,
        /** A batch is in. */
        TAKEN,
        /** Another replica was there first. */
        LOST
    }

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final Consumer<byte[], byte[]> consumer;
    private final List<String> topics;
    private final BatchReader reader;
    private final HistoryStore store;
    private final HistoryMetrics metrics;
    private final TimeSource time;
    private Map<TopicPartition, Long> positions = Map.of();
    private boolean sure;
    private long lookedNanos;

    Intake(
            Consumer<byte[], byte[]> consumer,
            HistoryConfig config,
            HistoryStore store,
            HistoryMetrics metrics,
            TimeSource time) {
        this.consumer = consumer;
        this.topics = List.of(config.usageTopic(), config.violationsTopic(), config.operationsTopic());
        this.reader = new BatchReader(config.violationsTopic(), config.operationsTopic());
        this.store = store;
        this.metrics = metrics;
        this.time = time;
    }

    /** A consumer of usage, violations and operations: it reads from the position that PostgreSQL has. */
    static KafkaSettings settings(Map<String, Object> kafka, String bootstrapServers, int batchMax) {
        return KafkaSettings.consumer(kafka, bootstrapServers, "meridian-history")
                .readingBytes()
                // What Kafka no longer has is not waited for: reading goes on with the oldest that is there.
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest")
                .fetching(batchMax, 1 << 20, 8 << 20);
    }

    Step step() {
        findPartitions();
        if (consumer.assignment().isEmpty()) {
            return Step.NO_TOPIC;
        }
        if (!sure) {
            positions = new HashMap<>(store.positions(consumer.assignment()));
            positions.forEach(consumer::seek);
            sure = true;
        }
        ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
        Step step = records.isEmpty() ? Step.IDLE : take(records);
        metrics.lag(lag());
        return step;
    }

    private Step take(ConsumerRecords<byte[], byte[]> records) {
        sure = false;
        Map<TopicPartition, Long> from = new HashMap<>(positions);
        from.keySet().retainAll(records.partitions());
        Map<TopicPartition, Long> to = new HashMap<>();
        records.partitions().forEach(partition -> to.put(partition, consumer.position(partition, ASK_TIMEOUT)));
        if (!store.write(reader.read(records), from, to)) {
            return Step.LOST;
        }
        positions.putAll(to);
        sure = true;
        return Step.TAKEN;
    }

    /** Topics may be made, and get more partitions, after the service has started. */
    private void findPartitions() {
        long nowNanos = time.monotonicNanos();
        if (!consumer.assignment().isEmpty() && nowNanos - lookedNanos < LOOK_EVERY.toNanos()) {
            return;
        }
        Set<TopicPartition> found = new TreeSet<>(ORDER);
        for (String topic : topics) {
            partitions(topic).forEach(each -> found.add(new TopicPartition(topic, each.partition())));
        }
        if (!found.equals(consumer.assignment())) {
            consumer.assign(found);
            sure = false;
        }
        lookedNanos = nowNanos;
    }

    /** Without the right to read one topic the others are taken in all the same. */
    private List<PartitionInfo> partitions(String topic) {
        try {
            List<PartitionInfo> partitions = consumer.partitionsFor(topic, ASK_TIMEOUT);
            return partitions == null ? List.of() : partitions;
        } catch (AuthorizationException refused) {
            LOG.warnf("topic %s cannot be read without the right to: reason=%s", topic, refused.getMessage());
            return List.of();
        }
    }

    private long lag() {
        return consumer.assignment().stream()
                .mapToLong(partition -> consumer.currentLag(partition).orElse(0))
                .sum();
    }
}
