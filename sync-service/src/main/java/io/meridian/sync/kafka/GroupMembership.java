package io.meridian.sync.kafka;

import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.leader.ReplicaState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;

/** Membership of a replica in the consumer group that assigns the partitions. It reads nothing: partitions stay paused. */
final class GroupMembership implements ConsumerRebalanceListener, AutoCloseable {
    /** The loop waits at most so long for committed offsets; the request goes on meanwhile, and is repeated. */
    private static final Duration COMMITTED_WAIT = Duration.ofMillis(100);

    private static final Logger LOG = Logger.getLogger(GroupMembership.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final TopicPair topics;
    private final ReplicaState state;
    private boolean joined;
    private boolean placed;

    GroupMembership(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, TopicPair topics, ReplicaState state) {
        this.consumer = consumer;
        this.topics = topics;
        this.state = state;
    }

    boolean hasJoined() {
        return joined;
    }

    /** Whether the group has once assigned partitions to this replica, be it none. */
    boolean isPlaced() {
        return placed;
    }

    void join() {
        joined = true;
        consumer.subscribe(List.of(topics.usage()), this);
    }

    /** Keeps the membership. Assignments reach the partitions on the way. */
    void keep() {
        if (joined) {
            consumer.poll(Duration.ZERO).forEach(unexpected -> {
                throw new IllegalStateException("a paused partition was read: " + unexpected.partition());
            });
        }
    }

    /** The membership by which the broker fences. */
    ConsumerGroupMetadata fence() {
        return consumer.groupMetadata();
    }

    /** Kafka returns committed offsets only when no transaction that carries offsets of these partitions is on its way. */
    boolean isSettled(Set<Integer> partitions) {
        try {
            consumer.committed(partitions.stream().map(topics::usage).collect(Collectors.toSet()), COMMITTED_WAIT);
            return true;
        } catch (TimeoutException pending) {
            return false;
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        placed = true;
        consumer.pause(assigned);
        apply(assigned, PartitionState::assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        apply(revoked, PartitionState::lost);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        LOG.warnf("the group has removed this replica, others lead by now: partitions=%s", lost);
        apply(lost, PartitionState::lost);
    }

    private void apply(Collection<TopicPartition> which, Consumer<PartitionState> change) {
        which.forEach(each -> change.accept(state.partition(each.partition())));
    }

    /** Leaves the group, so that others take over at once. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
