package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.leader.LogPort.TransactionOutcome;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules by which one replica leads, put together without Kafka: what the simulation runs. Everything outside is a port. */
public final class ReplicaCore {
    private final TopicPair topics;
    private final Memory memory;
    private final Leading leading;
    private final TimeSource time;

    /** Where both topics of a partition end. */
    public record End(long usage, long verdicts) {}

    /** What is said of one partition in one transaction. */
    public record Said(
            int partition,
            long usagePosition,
            @Nullable LeaderBeat beat,
            List<FloorRight> floors,
            List<VerdictRecord> verdicts) {}

    /** Kafka. */
    public interface Outside {
        /** Whether no transaction that carries offsets of these partitions is on its way. */
        boolean isSettled(Set<Integer> partitions);

        /** Where the topics end, counting what is not committed too. */
        CompletableFuture<Map<Integer, End>> ends(Set<Integer> partitions);

        /** All of it or nothing, and then how that went. */
        void say(List<Said> all, Consumer<TransactionOutcome> then);
    }

    public ReplicaCore(
            SyncConfig config,
            AggregatorRules rules,
            int partitions,
            Outside outside,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this.time = time;
        topics = new TopicPair(config.usageTopic(), config.verdictsTopic(), partitions);
        memory = new Memory(partitions, () -> Book.aggregated(rules));
        Takeovers takeovers =
                new Takeovers(outside::isSettled, which -> ends(outside, which), topics, memory, metrics, time);
        Ticker ticker = new Ticker(
                config,
                topics,
                memory,
                (statements, then) ->
                        outside.say(statements.stream().map(ReplicaCore::said).toList(), then),
                regions,
                metrics,
                time);
        leading = new Leading(takeovers, ticker, memory, new Overshoots(metrics), time);
    }

    private static CompletableFuture<Map<Integer, Ends.End>> ends(Outside outside, Set<Integer> which) {
        return outside.ends(which)
                .thenApply(found -> which.stream().collect(Collectors.toMap(Function.identity(), each -> {
                    End end = found.getOrDefault(each, new End(Long.MAX_VALUE, Long.MAX_VALUE));
                    return new Ends.End(end.usage, end.verdicts);
                })));
    }

    private static Said said(Statement statement) {
        return new Said(
                statement.partition().number(),
                statement.usagePosition(),
                statement.beat(),
                statement.tick().floors(),
                statement.tick().verdicts());
    }

    /** Reads a record of usage that came then, whose next offset is this. */
    public void heard(int partition, UsageRecord usage, long arrivedMicros, long next) {
        Partition of = memory.partition(partition);
        of.heard(usage, arrivedMicros);
        of.arrived(usage.incarnation().region(), time.wallMicros());
        memory.position(topics.usage(partition), next);
    }

    /** Reads that a region exists, as was written then; the next offset is this. */
    public void announced(int partition, RegionAnnouncement announcement, long arrivedMicros, long next) {
        memory.partition(partition).announced(announcement, arrivedMicros);
        memory.position(topics.usage(partition), next);
    }

    public void said(int partition, VerdictRecord verdict, long next) {
        memory.partition(partition).said(verdict);
        memory.position(topics.verdicts(partition), next);
    }

    public void floor(int partition, FloorRight right, long next) {
        memory.partition(partition).floor(right);
        memory.position(topics.verdicts(partition), next);
    }

    public void beat(int partition, LeaderBeat beat, long next) {
        memory.partition(partition).beat(beat);
        memory.position(topics.verdicts(partition), next);
    }

    /** There is nothing before this offset that is to be read any more: what was there was aborted. */
    public void passed(int partition, long nextVerdict) {
        memory.position(topics.verdicts(partition), nextVerdict);
    }

    public long usagePosition(int partition) {
        return memory.position(topics.usage(partition));
    }

    public long verdictsPosition(int partition) {
        return memory.position(topics.verdicts(partition));
    }

    /** The group gave it the partition. */
    public void assigned(int partition) {
        memory.partition(partition).assigned();
    }

    public void lost(int partition) {
        memory.partition(partition).lost();
    }

    public boolean leads(int partition) {
        return memory.partition(partition).role() == Role.LEADER;
    }

    /** Goes on by what can be done now. */
    public void step() {
        leading.step();
    }
}
