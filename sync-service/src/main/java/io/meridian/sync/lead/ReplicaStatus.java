package io.meridian.sync.lead;

import io.meridian.model.aggregate.Overshoot;
import java.util.List;

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
}
