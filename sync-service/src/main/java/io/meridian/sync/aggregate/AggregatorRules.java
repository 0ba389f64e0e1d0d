package io.meridian.sync.aggregate;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.hash.SipHash;
import java.util.concurrent.TimeUnit;

/**
 * Settings of an aggregator.
 *
 * @param publishEveryMicros after so long even a change that hardly matters is published
 * @param horizonMicros how far ahead of its demand a region is granted, and at most a tenth of the window
 * @param keepMicros how long a window is remembered after its end: regions that were cut off report late
 * @param regionsMax among how many regions floors are divided; a further one has no floor
 * @param floorAheadMicros how far ahead a region is promised its floors: so long it keeps them when it is cut off, and so long the next
 *     incarnation of its data waits for its own
 * @param secret of the deployment: it places limits in memory, and floors are given to limiters that have the same
 */
public record AggregatorRules(
        long publishEveryMicros,
        long horizonMicros,
        long keepMicros,
        int regionsMax,
        long floorAheadMicros,
        KeySecret secret) {
    private static final int REGIONS_MAX = 8;
    private static final long FLOOR_AHEAD_MICROS = TimeUnit.MINUTES.toMicros(1);

    public AggregatorRules {
        if (publishEveryMicros <= 0
                || horizonMicros <= 0
                || keepMicros <= 0
                || regionsMax <= 0
                || floorAheadMicros <= 0) {
            throw new IllegalArgumentException("rules must be positive, got publishEveryMicros " + publishEveryMicros
                    + ", horizonMicros " + horizonMicros + ", keepMicros " + keepMicros + ", regionsMax " + regionsMax
                    + ", floorAheadMicros " + floorAheadMicros);
        }
    }

    public AggregatorRules(long publishEveryMicros, long horizonMicros, long keepMicros, KeySecret secret) {
        this(publishEveryMicros, horizonMicros, keepMicros, REGIONS_MAX, FLOOR_AHEAD_MICROS, secret);
    }

    SipHash hash() {
        return secret.hash();
    }
}
