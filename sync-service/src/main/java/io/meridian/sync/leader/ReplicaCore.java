package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.SyncConfig;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import java.time.Duration;

/**
 * Core of a sync replica without I/O: it takes partitions over, publishes what is due of those it leads, and sweeps its aggregates. Production
 * and the simulation run it; the log is a port.
 */
public final class ReplicaCore {
    private static final Duration SWEEP_EVERY = Duration.ofMillis(100);
    /** Of 256: a whole aggregate in a quarter of a minute. */
    private static final int SWEEP_PARTS = 2;

    private final ReplicaState state;
    private final Takeover takeover;
    private final VerdictTicker ticker;
    private final TimeSource time;
    private long sweptNanos;

    /** A core with an empty state. */
    public ReplicaCore(
            SyncConfig config,
            AggregatorRules rules,
            int partitions,
            LogPort log,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this(config, new ReplicaState(partitions, () -> new Aggregator(rules), metrics), log, regions, metrics, time);
    }

    /** A core that goes on from a state. */
    public ReplicaCore(
            SyncConfig config,
            ReplicaState state,
            LogPort log,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time) {
        this.state = state;
        this.takeover = new Takeover(log, state, metrics, time);
        this.ticker = new VerdictTicker(config, state, log, regions, metrics, time);
        this.time = time;
        this.sweptNanos = time.monotonicNanos() - SWEEP_EVERY.toNanos();
    }

    /** Applies a record of usage that arrived at this time; the next offset is {@code next}. */
    public void applyUsage(int partition, UsageRecord usage, long arrivedMicros, long next) {
        PartitionState of = state.partition(partition);
        of.applyUsage(usage, arrivedMicros);
        of.arrived(usage.incarnation().region(), time.wallMicros());
        of.usagePosition(next);
    }

    /** Applies the announcement of a region, which arrived at this time. */
    public void applyAnnouncement(int partition, RegionAnnouncement announcement, long arrivedMicros, long next) {
        state.partition(partition).applyAnnouncement(announcement, arrivedMicros);
        state.partition(partition).usagePosition(next);
    }

    public void applyVerdict(int partition, VerdictRecord verdict, long next) {
        state.partition(partition).applyVerdict(verdict);
        skipTo(partition, next);
    }

    public void applyFloor(int partition, FloorRight right, long next) {
        state.partition(partition).applyFloor(right);
        skipTo(partition, next);
    }

    public void applyBeat(int partition, LeaderBeat beat, long next) {
        state.partition(partition).applyBeat(beat);
        skipTo(partition, next);
    }

    /** Nothing before this offset of verdicts is left to read: what is unread there was aborted. */
    public void skipTo(int partition, long nextVerdict) {
        state.partition(partition).verdictsPosition(nextVerdict);
    }

    public long usagePosition(int partition) {
        return state.partition(partition).usagePosition();
    }

    public long verdictsPosition(int partition) {
        return state.partition(partition).verdictsPosition();
    }

    /** The group assigned the partition to this replica. */
    public void assigned(int partition) {
        state.partition(partition).assigned();
    }

    public void lost(int partition) {
        state.partition(partition).lost();
    }

    public boolean leads(int partition) {
        return state.partition(partition).role() == PartitionState.Role.LEADER;
    }

    /** Does what can be done now, in this order: takes over, publishes, sweeps. True if it swept, so that the status is worth a look. */
    public boolean step() {
        takeover.step();
        if (ticker.isDue()) {
            ticker.tick();
        }
        boolean sweep = time.monotonicNanos() - sweptNanos >= SWEEP_EVERY.toNanos();
        if (sweep) {
            sweptNanos = time.monotonicNanos();
            state.partitions().forEach(this::sweep);
        }
        return sweep;
    }

    private void sweep(PartitionState partition) {
        partition.aggregate().sweep(time.wallMicros(), SWEEP_PARTS);
        state.overshoots().look(partition);
    }

    VerdictTicker ticker() {
        return ticker;
    }
}
