package io.meridian.sync.leader;

import io.meridian.model.match.LimitKeys;
import io.meridian.model.usage.LimitWindow;

/**
 * Which partition a limit belongs to. A limiter with another secret reports a limit to another partition, whose leader would grant it a second
 * time.
 */
interface Placement {
    /** The partition of so many; usage that came to another one is refused. */
    boolean isAt(int partition, int partitions, LimitWindow limit);

    static Placement under(LimitKeys keys) {
        return (partition, partitions, limit) ->
                keys.shard(limit.policyId(), limit.key()).partition(partitions) == partition;
    }
}
