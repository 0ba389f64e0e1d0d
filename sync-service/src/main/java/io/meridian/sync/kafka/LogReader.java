package io.meridian.sync.kafka;

import io.meridian.service.kafka.TopicFollower;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.leader.ReplicaState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Reader of all partitions of both topics, led here or not, so that a standby has nothing to load when it takes over. */
final class LogReader implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final TopicPair topics;
    private final ReplicaState state;
    private final RecordIntake intake;
    /** Where the topics ended when reading began. */
    private final Map<TopicPartition, Long> firstEnds;

    private boolean live;

    LogReader(Consumer<byte[], byte[]> consumer, TopicPair topics, ReplicaState state, RecordIntake intake) {
        this.consumer = consumer;
        this.topics = topics;
        this.state = state;
        this.intake = intake;
        List<TopicPartition> all = topics.all().toList();
        consumer.assign(all);
        all.forEach(each -> consumer.seek(each, position(each)));
        firstEnds = consumer.endOffsets(all);
    }

    /** The topics as they exist. They are created with the deployment. */
    static TopicPair topics(Consumer<byte[], byte[]> consumer, SyncConfig config) {
        int usage = TopicFollower.partitions(consumer, config.usageTopic()).size();
        int verdicts =
                TopicFollower.partitions(consumer, config.verdictsTopic()).size();
        if (usage != verdicts) {
            throw new UnknownTopicOrPartitionException("the topics must have as many partitions, got "
                    + config.usageTopic() + " " + usage + ", " + config.verdictsTopic() + " " + verdicts);
        }
        return new TopicPair(config.usageTopic(), config.verdictsTopic(), usage);
    }

    void read(Duration wait) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            PartitionState partition = state.partition(record.partition());
            if (record.topic().equals(topics.usage())) {
                intake.usage(partition, record, live);
            } else {
                intake.verdict(partition, record);
            }
        }
        topics.all().forEach(this::remember);
        live = live || firstEnds.entrySet().stream().allMatch(end -> position(end.getKey()) >= end.getValue());
    }

    /** Whether it has once read to the end: from then on what it reads is new. */
    boolean isLive() {
        return live;
    }

    /** Number of records of usage that are not read yet. */
    long lag(int partition) {
        return consumer.currentLag(topics.usage(partition)).orElse(0);
    }

    private long position(TopicPartition partition) {
        PartitionState of = state.partition(partition.partition());
        return partition.topic().equals(topics.usage()) ? of.usagePosition() : of.verdictsPosition();
    }

    /** A position that has yet to be found out, or confirmed, stays as it was. */
    private void remember(TopicPartition partition) {
        try {
            long next = consumer.position(partition, Duration.ZERO);
            if (partition.topic().equals(topics.usage())) {
                state.partition(partition.partition()).usagePosition(next);
            } else {
                state.partition(partition.partition()).verdictsPosition(next);
            }
        } catch (TimeoutException unknown) {
            return;
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
