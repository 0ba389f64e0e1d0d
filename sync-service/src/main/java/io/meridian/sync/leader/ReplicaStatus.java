package io.meridian.sync.leader;

import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.aggregate.Overshoot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica knows of leaders: of all partitions, by what it reads.
 *
 * @param placed whether it has read everything once and has a place in the group: it could take over at once
 */
public record ReplicaStatus(List<PartitionStatus> partitions, List<Overshoot> overshoots, boolean placed) {
    static final ReplicaStatus NOTHING_YET = new ReplicaStatus(List.of(), List.of(), false);

    /** The same of a replica that leads nothing any more. */
    ReplicaStatus ended() {
        return new ReplicaStatus(partitions.stream().map(PartitionStatus::ended).toList(), overshoots, false);
    }

    /**
     * A partition as this replica sees it.
     *
     * @param beat what a leader last said of itself, null if none ever has
     * @param lag records of usage that are in Kafka and not yet heard
     */
    public record PartitionStatus(int partition, @Nullable LeaderBeat beat, Role role, int limits, long lag) {
        PartitionStatus ended() {
            return new PartitionStatus(partition, beat, Role.STANDBY, limits, lag);
        }
    }
}
