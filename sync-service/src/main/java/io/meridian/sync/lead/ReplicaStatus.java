package io.meridian.sync.lead;

import io.meridian.model.aggregate.Overshoot;
import java.util.List;

/** What a replica knows of leaders: of all partitions, by what it reads. */
public record ReplicaStatus(List<PartitionStatus> partitions, List<Overshoot> overshoots) {
    static final ReplicaStatus NOTHING_YET = new ReplicaStatus(List.of(), List.of());

    /** The same of a replica that leads nothing any more. */
    ReplicaStatus ended() {
        return new ReplicaStatus(partitions.stream().map(PartitionStatus::ended).toList(), overshoots);
    }
}
