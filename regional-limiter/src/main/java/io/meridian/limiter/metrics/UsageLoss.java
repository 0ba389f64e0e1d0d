package io.meridian.limiter.metrics;

/** What of the units that were admitted is nowhere accounted for, because a bound was reached. */
public enum UsageLoss {
    /** Taken of a region's own limits, when an instance accounts for as many as it may: not on record. */
    REGIONAL_LIMITS,
    /** Counted by an earlier life of the region's data and not reported, when too much of that waits for Kafka. */
    FORMER_LIFE,
    /** Taken of a region's own limits before its Redis lost its counters, when too much waits to be charged. */
    LOST_COUNTERS,
    /** Admitted without the region's counters, when the fallback owes for as many limits as it may. */
    FALLBACK
}
