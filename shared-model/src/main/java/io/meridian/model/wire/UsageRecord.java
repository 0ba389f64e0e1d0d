package io.meridian.model.wire;

import io.meridian.model.rule.Rules;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;

/**
 * What a region reports of one limit: cumulative, so that only the latest record of a key matters.
 *
 * @param rule the rule under which the region last counted
 * @param count what was taken and given back
 * @param grantReturned in escrow, what of its grants the region has given back
 * @param demandPerSecond how fast the limit is asked for, refused requests included
 * @param refusedCost in escrow, what was refused for want of a grant since the last one, all of it together
 * @param floor in escrow, what the region may spend of this window without a grant; -1 as long as it has not decided
 * @param sentMicros the region's clock when it sent this: for loop delay and clock skew
 */
public record UsageRecord(
        LimitWindow limit,
        RegionLife life,
        WindowRule rule,
        UsageCount count,
        long grantReturned,
        long demandPerSecond,
        long refusedCost,
        long floor,
        long sentMicros) {
    public static final long FLOOR_UNDECIDED = -1;

    public UsageRecord(
            LimitWindow limit,
            RegionLife life,
            WindowRule rule,
            UsageCount count,
            long grantReturned,
            long demandPerSecond,
            long refusedCost,
            long sentMicros) {
        this(limit, life, rule, count, grantReturned, demandPerSecond, refusedCost, FLOOR_UNDECIDED, sentMicros);
    }

    public UsageRecord {
        new Rules()
                .require(grantReturned >= 0, "grantReturned", grantReturned, "must not be negative")
                .require(demandPerSecond >= 0, "demandPerSecond", demandPerSecond, "must not be negative")
                .require(refusedCost >= 0, "refusedCost", refusedCost, "must not be negative")
                .require(floor >= FLOOR_UNDECIDED, "floor", floor, "must be at least " + FLOOR_UNDECIDED)
                .throwIfBroken();
    }
}
