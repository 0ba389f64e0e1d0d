package io.meridian.model.wire;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.UsageCount;

/**
 * What a region reports of one limit: cumulative, so that only the latest record of a key matters.
 *
 * @param policyVersion the version of the policy under which the region last counted
 * @param count what was taken and given back; in escrow, spent is taken less returned
 * @param grantReturned in escrow, what of its grants the region has given back
 * @param demandPerSecond how fast the limit is asked for, refused requests included
 * @param sentMicros the region's wall clock when it sent this: for loop delay and clock skew
 */
public record UsageRecord(
        LimitWindow limit,
        RegionLife life,
        long policyVersion,
        UsageCount count,
        long grantReturned,
        long demandPerSecond,
        long sentMicros) {}
