package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.PartitionAggregate;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import io.meridian.sync.regions.RegionStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Timer and content of a leader's transactions: shortly after new usage, and periodically without any. */
final class VerdictTicker {
    private final SyncConfig config;
    private final ReplicaState state;
    private final LogPort log;
    private final RegionStats regions;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private long tickNanos;

    VerdictTicker(
            SyncConfig config,
            ReplicaState state,
            LogPort log,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this.config = config;
        this.state = state;
        this.log = log;
        this.regions = regions;
        this.metrics = metrics;
        this.time = time;
        this.tickNanos = time.monotonicNanos();
    }

    /** A partition with something to publish. */
    record Due(PartitionState partition, PartitionAggregate.Tick tick, PartitionBatch batch) {}

    boolean isDue() {
        long elapsed = time.monotonicNanos() - tickNanos;
        return elapsed >= config.tick().toNanos()
                || (elapsed >= config.tickMin().toNanos()
                        && state.led().anyMatch(each -> each.arrivals().isFresh()));
    }

    /** Publishes what is due of all partitions that are led. Unless it is committed, they have to be taken over anew. */
    void tick() {
        List<Due> due = due();
        if (due.isEmpty()) {
            tickNanos = time.monotonicNanos();
            return;
        }
        long beganNanos = time.monotonicNanos();
        log.publish(due.stream().map(Due::batch).toList(), outcome -> {
            published(due, outcome, time.monotonicNanos() - beganNanos);
            // From the end, because Kafka still closes a transaction for a moment after it confirmed it.
            tickNanos = time.monotonicNanos();
        });
    }

    private void published(List<Due> due, TransactionOutcome outcome, long tookNanos) {
        metrics.transaction(
                outcome,
                tookNanos,
                due.stream().mapToInt(each -> each.batch().verdicts().size()).sum());
        switch (outcome) {
            case COMMITTED -> due.forEach(this::committed);
            case REFUSED, FAILED -> state.partitions().forEach(PartitionState::doubted);
        }
    }

    /** Partitions with something to publish now. */
    List<Due> due() {
        List<Due> all = new ArrayList<>();
        for (PartitionState partition : state.partitions()) {
            if (partition.phase() instanceof PartitionState.Phase.Leader leader) {
                partition.arrivals().ticked();
                Due due = due(partition, leader.epoch());
                if (!due.batch().isEmpty()) {
                    all.add(due);
                }
                if (due.tick().isEmpty()) {
                    // Nothing is to be published of it, so nothing has to be committed first.
                    due.tick().committed();
                    partition.arrivals().clear();
                }
            }
        }
        return all;
    }

    private Due due(PartitionState partition, long epoch) {
        long nowMicros = time.wallMicros();
        PartitionAggregate.Tick tick = partition.aggregate().tick(nowMicros, config.limitsPerTick());
        @Nullable LeaderBeat beat =
                partition.isBeatDue(time.monotonicNanos(), config.beat().toNanos())
                        ? new LeaderBeat(epoch, config.replica(), nowMicros)
                        : null;
        return new Due(
                partition,
                tick,
                new PartitionBatch(
                        partition.number(), partition.usagePosition(), beat, tick.floors(), tick.verdicts()));
    }

    private void committed(Due due) {
        if (!due.tick().isEmpty()) {
            due.tick().committed();
        }
        PartitionState partition = due.partition();
        if (due.batch().beat() != null) {
            partition.beatPublished(time.monotonicNanos());
        }
        long nowMicros = time.wallMicros();
        partition.arrivals().take().forEach(each -> regions.answered(each.region(), nowMicros - each.appendedMicros()));
    }
}
