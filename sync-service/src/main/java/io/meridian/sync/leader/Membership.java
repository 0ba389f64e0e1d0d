package io.meridian.sync.leader;

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

/** A replica's place in the group that shares the partitions out. It reads nothing: partitions stay paused. */
final class Membership implements Group, ConsumerRebalanceListener, AutoCloseable {
    /** So long the loop waits for an answer at most; the question goes on meanwhile, and is asked for again. */
    private static final Duration ASK = Duration.ofMillis(100);

    private static final Logger LOG = Logger.getLogger(Membership.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final TopicPair topics;
    private final Memory memory;
    private boolean joined;
    private boolean placed;

    Membership(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer, TopicPair topics, Memory memory) {
        this.consumer = consumer;
        this.topics = topics;
        this.memory = memory;
    }

    boolean hasJoined() {
        return joined;
    }

    /** Whether the group has once said what is this replica's, be it nothing. */
    boolean isPlaced() {
        return placed;
    }

    void join() {
        joined = true;
        consumer.subscribe(List.of(topics.usage()), this);
    }

    /** Keeps the place. What the group decided is told to the partitions on the way. */
    void keep() {
        if (joined) {
            consumer.poll(Duration.ZERO).forEach(unexpected -> {
                throw new IllegalStateException("a paused partition was read: " + unexpected.partition());
            });
        }
    }

    /** What the broker fences by. */
    ConsumerGroupMetadata fence() {
        return consumer.groupMetadata();
    }

    /** Kafka answers what was committed only when no transaction is on its way. */
    @Override
    public boolean isSettled(Set<Integer> partitions) {
        try {
            consumer.committed(partitions.stream().map(topics::usage).collect(Collectors.toSet()), ASK);
            return true;
        } catch (TimeoutException pending) {
            return false;
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        placed = true;
        consumer.pause(assigned);
        tell(assigned, Partition::assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        tell(revoked, Partition::lost);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        LOG.warnf("this replica has lost its place, others lead by now: partitions=%s", lost);
        tell(lost, Partition::lost);
    }

    private void tell(Collection<TopicPartition> which, Consumer<Partition> what) {
        which.forEach(each -> what.accept(memory.partition(each.partition())));
    }

    /** Leaves the group, so that others take over at once. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
