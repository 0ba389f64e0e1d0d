package io.meridian.sync.leader;

import io.meridian.sync.leader.LogPort.PartitionBatch;
import java.util.List;

/** Ticks of a core when a test wants them. */
public final class OutOfTurn {
    private OutOfTurn() {}

    public static void tick(ReplicaCore core) {
        core.ticker().tick();
    }

    /** Batches that a tick would publish now. */
    public static List<PartitionBatch> due(ReplicaCore core) {
        return core.ticker().due().stream().map(VerdictTicker.Due::batch).toList();
    }
}
