package io.meridian.sync.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.model.match.Shard;
import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.leader.ReplicaStatus.PartitionStatus;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One partition and who leads it: leader and beat are null where nobody has yet. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record PartitionAnswer(
        int partition,
        int shards,
        @Nullable String leader,
        long epoch,
        String role,
        int limits,
        long lag,
        @Nullable String beatAt) {
    static PartitionAnswer of(PartitionStatus status, int partitions) {
        LeaderBeat beat = status.beat();
        return new PartitionAnswer(
                status.partition(),
                shards(status.partition(), partitions),
                beat == null ? null : beat.replica(),
                beat == null ? 0 : beat.epoch(),
                status.role().name().toLowerCase(Locale.ROOT),
                status.limits(),
                status.lag(),
                beat == null ? null : Instants.text(beat.atMicros()));
    }

    /** How many shards are of this partition. */
    private static int shards(int partition, int partitions) {
        return (Shard.COUNT - partition + partitions - 1) / partitions;
    }
}
