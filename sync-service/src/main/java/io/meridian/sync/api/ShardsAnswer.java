package io.meridian.sync.api;

import io.meridian.sync.leader.ReplicaStatus;
import io.meridian.sync.regions.RegionStats.RegionStatus;
import java.util.List;

/** The answer to who leads. */
record ShardsAnswer(
        String replica,
        List<PartitionAnswer> partitions,
        List<RegionAnswer> regions,
        List<OvershootAnswer> overshoots) {
    static ShardsAnswer of(String replica, ReplicaStatus status, List<RegionStatus> regions) {
        int partitions = status.partitions().size();
        return new ShardsAnswer(
                replica,
                status.partitions().stream()
                        .map(each -> PartitionAnswer.of(each, partitions))
                        .toList(),
                regions.stream().map(RegionAnswer::of).toList(),
                status.overshoots().stream().map(OvershootAnswer::of).toList());
    }
}
