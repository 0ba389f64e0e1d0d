package io.meridian.model.aggregate;

/**
 * How an aggregator tells and forgets.
 *
 * @param tellEveryMicros after so long even a change that hardly matters is told
 * @param horizonMicros how far ahead of its demand a region is granted, and at most a tenth of the window
 * @param keepMicros how long a window is remembered after its end: regions that were cut off report late
 */
public record AggregatorRules(long tellEveryMicros, long horizonMicros, long keepMicros) {
    public AggregatorRules {
        if (tellEveryMicros <= 0 || horizonMicros <= 0 || keepMicros <= 0) {
            throw new IllegalArgumentException("rules must be positive, got tellEveryMicros " + tellEveryMicros
                    + ", horizonMicros " + horizonMicros + ", keepMicros " + keepMicros);
        }
    }
}
