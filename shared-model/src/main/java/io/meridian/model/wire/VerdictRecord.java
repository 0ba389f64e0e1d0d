package io.meridian.model.wire;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;

/**
 * What the leader tells one region of one limit. The newest epoch and sequence win; {@code granted} and
 * {@code usedElsewhere} only grow within a window and life.
 *
 * @param epoch the term of leadership that said it
 * @param sequence counts the verdicts of an epoch
 * @param policyVersion the version of the policy the flag speaks of: another version unblocks
 * @param usedElsewhere what all other regions used
 * @param blocked whether the limit is reached everywhere together
 * @param granted in escrow, all that this life of the region was ever granted of the window
 * @param keep in escrow, what the region may keep unspent; {@link #KEEP_ALL} unless it is asked to give back
 * @param echoMicros {@code sentMicros} of the latest usage that went in: the region measures the loop with it
 */
public record VerdictRecord(
        LimitWindow limit,
        RegionLife life,
        long epoch,
        long sequence,
        long policyVersion,
        long usedElsewhere,
        boolean blocked,
        long granted,
        long keep,
        long echoMicros) {
    public static final long KEEP_ALL = Long.MAX_VALUE;
}
