package io.meridian.limiter.region;

import io.meridian.model.match.Shard;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.VerdictRecord;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Port to the region's accounts of global limits. Calls may take longer than a check's; they fail with {@link RegionUnavailable} if
 * the region does not answer, and may then be repeated: nothing counts twice.
 */
public interface RegionAccounts {
    /** One incarnation of the region's data; empty until the region has answered once. */
    OptionalLong incarnation();

    /** The shards in which this instance may have changed something since it last asked, and a few more in turn. */
    Collection<Shard> toVisit();

    /** Takes accounts that are due to be reported. They are due again after a while unless they are reported. */
    CompletionStage<DueAccounts> due(Collection<Shard> shards, int max);

    /** These were taken by the log; what has changed since is due again. */
    CompletionStage<Void> reported(List<DueAccount> books);

    /** Takes in what the leader says; of every limit and window at most one verdict. */
    CompletionStage<Void> apply(List<VerdictRecord> verdicts);

    /** Accounts that are due, and the region's time. */
    record DueAccounts(List<DueAccount> accounts, long nowMicros) {}

    /**
     * Account that is due to be reported.
     *
     * @param incarnation of the region's data; one that is over may have left accounts
     * @param ownLimit the limit where it is not the policy's, else 0
     * @param floor in escrow, what the region may spend without a grant; -1 as long as it has not decided
     * @param requested the cost that was ever requested in escrow
     * @param handle the region's name for it
     */
    record DueAccount(
            LimitWindow limit,
            long incarnation,
            UsageCount count,
            long ownLimit,
            long grantReturned,
            long refusedCost,
            long floor,
            long requested,
            Shard shard,
            String handle) {}
}
