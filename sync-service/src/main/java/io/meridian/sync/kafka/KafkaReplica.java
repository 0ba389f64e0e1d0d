package io.meridian.sync.kafka;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.aggregate.GrantTotals;
import io.meridian.sync.aggregate.PartitionAggregate;
import io.meridian.sync.kafka.RecordIntake.Placement;
import io.meridian.sync.leader.LogPort;
import io.meridian.sync.leader.PartitionState;
import io.meridian.sync.leader.ReplicaCore;
import io.meridian.sync.leader.ReplicaState;
import io.meridian.sync.leader.ReplicaStatus;
import io.meridian.sync.leader.ReplicaStatus.PartitionStatus;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import io.meridian.sync.regions.RegionStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Replica on Kafka: a core and the clients that connect it to the log, driven step by step by one thread. */
public final class KafkaReplica implements LogPort, AutoCloseable {
    /** A read ends after so long without records: the membership has to be kept, and ticks fall due. */
    private static final Duration READ_WAIT = Duration.ofMillis(10);

    private static final Duration ADMIN_CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final ReplicaState state;
    private final TopicPair topics;
    private final LogReader reader;
    private final GroupMembership membership;
    private final Admin admin;
    private final VerdictPublisher publisher;
    private final ReplicaCore core;
    private final SyncMetrics metrics;
    private volatile ReplicaStatus status = ReplicaStatus.NOTHING_YET;

    private KafkaReplica(Factory of, ReplicaState state, TopicPair topics, LogReader reader) {
        this.state = state;
        this.topics = topics;
        this.reader = reader;
        this.metrics = of.metrics;
        membership = new GroupMembership(of.clients.member(), topics, state);
        admin = of.clients.admin();
        publisher = new VerdictPublisher(of.clients::producer, membership::fence, topics, of.fenced);
        core = new ReplicaCore(of.config, state, this, of.regions, of.metrics, of.time);
    }

    /** Factory of replicas with new clients, each of which goes on with what the one before it had read. */
    public static final class Factory implements Supplier<KafkaReplica> {
        private final SyncConfig config;
        private final KafkaClients clients;
        private final Supplier<? extends PartitionAggregate> aggregates;
        private final Placement placement;
        private final RegionStats regions;
        private final SyncMetrics metrics;
        private final TimeSource time;
        private final boolean fenced;
        private @Nullable ReplicaState state;

        public Factory(
                SyncConfig config,
                Map<String, Object> kafka,
                Supplier<? extends PartitionAggregate> aggregates,
                LimitKeys keys,
                RegionStats regions,
                SyncMetrics metrics,
                TimeSource time) {
            this(config, kafka, aggregates, Placement.under(keys), regions, metrics, time, true);
        }

        /** @param fenced false only in a test that shows what the fence prevents */
        Factory(
                SyncConfig config,
                Map<String, Object> kafka,
                Supplier<? extends PartitionAggregate> aggregates,
                Placement placement,
                RegionStats regions,
                SyncMetrics metrics,
                TimeSource time,
                boolean fenced) {
            this.config = config;
            this.clients = new KafkaClients(kafka, config);
            this.aggregates = aggregates;
            this.placement = placement;
            this.regions = regions;
            this.metrics = metrics;
            this.time = time;
            this.fenced = fenced;
        }

        /** Fails as Kafka does while it is away or has no topics. */
        @Override
        public KafkaReplica get() {
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> reading = clients.reader();
            try {
                TopicPair topics = LogReader.topics(reading, config);
                ReplicaState known = state(topics);
                RecordIntake intake =
                        new RecordIntake(placement, topics.partitions(), regions, metrics, config.incarnationAhead());
                return new KafkaReplica(this, known, topics, new LogReader(reading, topics, known, intake));
            } catch (RuntimeException failed) {
                reading.close();
                throw failed;
            }
        }

        /** A topic with other partitions than before is another topic. */
        private ReplicaState state(TopicPair topics) {
            ReplicaState known = state;
            if (known == null || known.partitions().size() != topics.partitions()) {
                known = new ReplicaState(topics.partitions(), aggregates, metrics);
                state = known;
            }
            return known;
        }
    }

    /** One step. A replica joins the group only when it has read everything once: until then others lead better. */
    void step() {
        reader.read(READ_WAIT);
        if (reader.isLive() && !membership.hasJoined()) {
            var unused = publisher.open();
            membership.join();
        }
        membership.keep();
        if (core.step()) {
            updateStatus();
        }
    }

    @Override
    public boolean isSettled(Set<Integer> partitions) {
        return membership.isSettled(partitions);
    }

    @Override
    public CompletableFuture<Map<Integer, End>> ends(Set<Integer> partitions) {
        Map<TopicPartition, OffsetSpec> which = partitions.stream()
                .flatMap(each -> Stream.of(topics.usage(each), topics.verdicts(each)))
                .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
        return admin.listOffsets(which, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(found -> partitions.stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                each -> new End(
                                        offset(found, topics.usage(each)), offset(found, topics.verdicts(each))))));
    }

    private static long offset(Map<TopicPartition, ListOffsetsResultInfo> found, TopicPartition partition) {
        ListOffsetsResultInfo end = found.get(partition);
        if (end == null) {
            throw new IllegalStateException("Kafka returned no end offset of " + partition);
        }
        return end.offset();
    }

    @Override
    public void publish(List<PartitionBatch> all, Consumer<TransactionOutcome> then) {
        then.accept(publisher.publish(all));
    }

    ReplicaState state() {
        return state;
    }

    ReplicaCore core() {
        return core;
    }

    VerdictPublisher publisher() {
        return publisher;
    }

    /** As of a moment ago; for any thread. */
    ReplicaStatus status() {
        return status;
    }

    /** Inconsistent escrow accounts of led partitions, at most so many of each. */
    public List<Anomaly> anomalies(int max) {
        return state.led()
                .flatMap(each -> each.aggregate().anomalies(max).stream())
                .toList();
    }

    private void updateStatus() {
        List<PartitionStatus> partitions = state.partitions().stream()
                .map(each -> new PartitionStatus(
                        each.number(),
                        each.beat(),
                        each.role(),
                        each.aggregate().size(),
                        reader.lag(each.number())))
                .toList();
        status = new ReplicaStatus(partitions, state.latestOvershoots(), membership.isPlaced());
        metrics.known(
                partitions.stream().mapToLong(PartitionStatus::limits).sum(),
                partitions.stream().mapToLong(PartitionStatus::lag).sum());
        metrics.leads(Math.toIntExact(state.led().count()));
        metrics.granted(state.led().map(each -> each.aggregate().grants()).reduce(GrantTotals.NONE, GrantTotals::plus));
    }

    /** Leaves the group first, so that others need not wait. */
    @Override
    public void close() {
        state.partitions().forEach(PartitionState::lost);
        metrics.leads(0);
        metrics.granted(GrantTotals.NONE);
        status = status.ended();
        try (publisher;
                reader) {
            membership.close();
        } finally {
            admin.close(ADMIN_CLOSE_TIMEOUT);
        }
    }
}
