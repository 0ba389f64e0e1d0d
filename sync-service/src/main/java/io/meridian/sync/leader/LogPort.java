package io.meridian.sync.leader;

import io.meridian.model.wire.FloorRight;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.model.wire.VerdictRecord;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Port to the replicated log: Kafka in production, its model in the simulation. */
public interface LogPort {
    /** Whether no transaction that carries offsets of these partitions is on its way. */
    boolean isSettled(Set<Integer> partitions);

    /** Ends of the topics of these partitions, counting what is not committed too. */
    CompletableFuture<Map<Integer, End>> ends(Set<Integer> partitions);

    /** Publishes all of it in one transaction or nothing, and then passes on how that went; until then nothing else is published. */
    void publish(List<PartitionBatch> all, Consumer<TransactionOutcome> then);

    /** Ends of both topics of a partition. */
    record End(long usage, long verdicts) {}

    /**
     * Records of one partition for one transaction.
     *
     * @param usagePosition up to where usage was applied
     * @param beat null if none is due
     */
    record PartitionBatch(
            int partition,
            long usagePosition,
            @Nullable LeaderBeat beat,
            List<FloorRight> floors,
            List<VerdictRecord> verdicts) {
        boolean isEmpty() {
            return beat == null && floors.isEmpty() && verdicts.isEmpty();
        }
    }
}
