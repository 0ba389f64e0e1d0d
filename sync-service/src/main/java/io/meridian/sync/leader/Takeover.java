package io.meridian.sync.leader;

import io.meridian.model.time.TimeSource;
import io.meridian.sync.leader.PartitionState.Phase;
import io.meridian.sync.ops.SyncMetrics;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takeover of partitions that the group assigned. First no predecessor may have a transaction on its way; then the ends of the topics are
 * fetched, counting what is not committed too, because Kafka confirms a commit before readers see it; then all up to there is read.
 */
final class Takeover {
    private static final Logger LOG = Logger.getLogger(Takeover.class);

    private final LogPort log;
    private final ReplicaState state;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private @Nullable PendingEnds pending;

    /** A request for the ends of some partitions. */
    private record PendingEnds(Set<Integer> partitions, CompletableFuture<Map<Integer, LogPort.End>> ends) {}

    Takeover(LogPort log, ReplicaState state, SyncMetrics metrics, TimeSource time) {
        this.log = log;
        this.state = state;
        this.metrics = metrics;
        this.time = time;
    }

    /** Does what can be done now. */
    void step() {
        takeEnds();
        settle();
        requestEnds();
        lead();
    }

    /** Ends for which not all partitions wait any more are of no use: one may have been lost and assigned again. */
    private void takeEnds() {
        PendingEnds last = pending;
        if (last == null || !(last.ends().isDone() || !last.partitions().equals(in(Phase.Settled.class)))) {
            return;
        }
        pending = null;
        if (last.ends().isCompletedExceptionally() || !last.partitions().equals(in(Phase.Settled.class))) {
            return;
        }
        Map<Integer, LogPort.End> ends = last.ends().getNow(Map.of());
        for (int number : last.partitions()) {
            LogPort.End end = ends.get(number);
            if (end == null) {
                throw new IllegalStateException("the ends of partition " + number + " are missing");
            }
            if (state.partition(number).phase() instanceof Phase.Settled settled) {
                state.partition(number).move(settled.until(end));
            }
        }
    }

    private void settle() {
        Set<Integer> unsettled = in(Phase.Unsettled.class);
        if (!unsettled.isEmpty() && log.isSettled(unsettled)) {
            state.partitions().forEach(partition -> {
                if (partition.phase() instanceof Phase.Unsettled phase) {
                    partition.move(phase.settled());
                }
            });
        }
    }

    private void requestEnds() {
        Set<Integer> settled = in(Phase.Settled.class);
        if (pending == null && !settled.isEmpty()) {
            pending = new PendingEnds(settled, log.ends(settled));
        }
    }

    private void lead() {
        Set<Integer> taken = new TreeSet<>();
        state.partitions().forEach(partition -> {
            if (partition.phase() instanceof Phase.CatchingUp phase
                    && phase.isDone(partition.usagePosition(), partition.verdictsPosition())) {
                partition.lead(phase, time.wallMicros());
                taken.add(partition.number());
            }
        });
        if (!taken.isEmpty()) {
            metrics.tookOver(taken.size());
            LOG.infof("leadership is taken over: partitions=%s", taken);
        }
    }

    private Set<Integer> in(Class<? extends Phase> phase) {
        return state.partitions().stream()
                .filter(partition -> phase.isInstance(partition.phase()))
                .map(PartitionState::number)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
