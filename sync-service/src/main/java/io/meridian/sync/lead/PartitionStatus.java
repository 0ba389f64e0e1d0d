package io.meridian.sync.lead;

import io.meridian.model.wire.LeaderBeat;
import org.jspecify.annotations.Nullable;

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
