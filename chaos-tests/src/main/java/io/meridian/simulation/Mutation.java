package io.meridian.chaos.sim;

/** The guards that a test takes away, one at a time, to see that somebody notices. */
public enum Broken {
    NOTHING(""),
    /** Kafka does not hold a transaction's generation against it. */
    NO_FENCE("I6"),
    /** A new leader does not read to the end before it speaks. */
    NO_READING_TO_THE_END("I6"),
    /** What was granted to a life that is over is the next one's too. */
    NO_BURNING("I1"),
    /** Leaders do not count what regions spend of their floors. */
    NO_FLOORS_COUNTED("I1"),
    /** A region whose data began anew has floors in windows in which it may have spent them before. */
    OVERLAPPING_FLOORS("I1"),
    /** A region reports that it gave back what it goes on spending. */
    NO_LOWERING("I1"),
    /** Of what was ever granted a new leader believes any one statement instead of the largest. */
    NO_MAX_MERGE("I1"),
    /** Regions do not hear what the others used, nor that the limit is reached. */
    NO_TELLING("I2"),
    /** Regions hear what the others used seconds later. */
    LATE_VERDICTS("I2"),
    /** What was admitted while Redis was away is never charged. */
    NO_SETTLING("I3"),
    /** Some reports are taken as acknowledged that are not in the log. */
    NO_ACKNOWLEDGEMENT("I3"),
    /** A limiter that is stopped keeps what it holds. */
    NO_HANDING_BACK("I3"),
    /** Regions hear of half of what they are granted. */
    NO_REBALANCING("I4"),
    /** Regions hear of all but a fiftieth of what they are granted. */
    NO_LAST_UNITS("I4"),
    /** A flag that was set is taken back. */
    NO_MONOTONE_FLAG("I5"),
    /** A check that one limit denies is charged to the others. */
    NO_ALL_OR_NOTHING("I7"),
    /** A check that escrow denies is charged to the region's own limit. */
    NO_ALL_OR_NOTHING_OF_ITS_OWN("I7"),
    /** What was leased of a window is spent in the next. */
    NO_WINDOW_END("I7"),
    /** The group misses a silent replica after three times its session. */
    LATE_SESSION("G4"),
    /** Leaders do not learn which regions exist until those use a limit. */
    NO_ANNOUNCEMENT("I8"),
    /** A check that the region's grant does not cover is refused at once. */
    NO_GRANT_WAIT("I9"),
    /** Regions keep grants that leaders call back. */
    NO_RECALL("I9"),
    /** A limiter throws what nobody expects. */
    NO_CARE(Violation.CRASH);

    private final String invariant;

    Broken(String invariant) {
        this.invariant = invariant;
    }

    /** Which invariant finds it at last; another may find it first. */
    public String invariant() {
        return invariant;
    }
}
