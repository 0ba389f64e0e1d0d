package io.meridian.sync.leader;

import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.aggregate.Overshoot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of a replica: all partitions and their leaders, by what it has read.
 *
 * @param placed whether it has read everything once and has a place in the group: it could take over at once
 */
public record ReplicaStatus(List<PartitionStatus> partitions, List<Overshoot> overshoots, boolean placed) {
    public static final ReplicaStatus NOTHING_YET = new ReplicaStatus(List.of(), List.of(), false);

    /** The same of a replica that leads nothing any more. */
    public ReplicaStatus ended() {
        return new ReplicaStatus(partitions.stream().map(PartitionStatus::ended).toList(), overshoots, false);
    }

    /**
     * One partition as this replica sees it.
     *
     * @param beat the last beat of a leader, null before the first
     * @param lag records of usage that are in Kafka and not yet read
     */
    public record PartitionStatus(
            int partition, @Nullable LeaderBeat beat, PartitionState.Role role, int limits, long lag) {
        PartitionStatus ended() {
            return new PartitionStatus(partition, beat, PartitionState.Role.STANDBY, limits, lag);
        }
    }
}
