package io.meridian.chaos.sim;

import io.meridian.sync.leader.LogPort.PartitionBatch;
import java.util.List;

/** A transaction as Kafka knows it. Its end reaches the offsets and each partition at times of their own. */
final class Transaction {
    final String replica;
    final long producerEpoch;
    final List<PartitionBatch> said;
    boolean ended;
    boolean committed;
    /** Whether who asks for the group's offsets has to wait. */
    boolean offsetsPending = true;

    Transaction(String replica, long producerEpoch, List<PartitionBatch> said) {
        this.replica = replica;
        this.producerEpoch = producerEpoch;
        this.said = List.copyOf(said);
    }
}
