package io.meridian.model.wire;

import io.meridian.model.rule.Rules;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;
import io.meridian.model.usage.WindowRule;

/**
 * What the leader tells one region of one limit. The newest epoch and sequence win; {@code granted} only grows within a
 * window and life.
 *
 * @param epoch the term of leadership that said it
 * @param sequence counts the verdicts of an epoch
 * @param rule the rule the flag speaks of: another version, or a higher limit, unblocks
 * @param usedElsewhere what all other regions used, less what they gave back: it may fall
 * @param blocked whether the limit is reached everywhere together
 * @param granted in escrow, all that this life of the region was ever granted of the window
 * @param keep in escrow, what the region may keep unspent; {@link #KEEP_ALL} unless it is asked to give back
 * @param echoMicros {@code sentMicros} of the region's usage that has just gone in, 0 if none has: it measures the loop with it
 * @param ratePerSecond how fast all regions together use the limit: with the loop delay it bounds what is admitted above it
 */
public record VerdictRecord(
        LimitWindow limit,
        RegionLife life,
        long epoch,
        long sequence,
        WindowRule rule,
        long usedElsewhere,
        boolean blocked,
        long granted,
        long keep,
        long echoMicros,
        long ratePerSecond) {
    public static final long KEEP_ALL = Long.MAX_VALUE;

    public VerdictRecord {
        new Rules()
                .require(epoch >= 0, "epoch", epoch, "must not be negative")
                .require(sequence >= 0, "sequence", sequence, "must not be negative")
                .require(usedElsewhere >= 0, "usedElsewhere", usedElsewhere, "must not be negative")
                .require(granted >= 0, "granted", granted, "must not be negative")
                .require(keep >= 0, "keep", keep, "must not be negative")
                .require(ratePerSecond >= 0, "ratePerSecond", ratePerSecond, "must not be negative")
                .throwIfBroken();
    }
}
