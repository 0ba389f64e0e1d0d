package io.meridian.simulation;

import io.meridian.simulation.invariants.InvariantViolation;

/** Removed guards, one at a time, as negative controls: each must violate its invariant in some history. */
public enum Mutation {
    NONE(""),
    /** Kafka accepts transactions of earlier generations. */
    NO_FENCE("I6"),
    /** A new leader publishes before it has read to the end. */
    NO_CATCH_UP("I6"),
    /** Grants of an earlier incarnation are valid in the next one. */
    GRANTS_OUTLIVE_INCARNATION("I1"),
    /** Leaders do not count usage within floors. */
    FLOORS_NOT_COUNTED("I1"),
    /** A region with a new incarnation has floors in windows in which it may have spent them before. */
    OVERLAPPING_FLOORS("I1"),
    /** A region reports the return of grants that it goes on spending. */
    FAKE_GRANT_RETURNS("I1"),
    /** A new leader takes the first published grant instead of the largest. */
    NO_MAX_MERGE("I1"),
    /** Regions receive neither the usage of others nor the flag of an exhausted limit. */
    NO_VERDICTS("I2"),
    /** Regions apply verdicts seconds later. */
    LATE_VERDICTS("I2"),
    /** Degraded admissions are never charged. */
    NO_DEFERRED_CHARGES("I3"),
    /** Some reports count as acknowledged that are not in the log. */
    NO_ACKNOWLEDGEMENT("I3"),
    /** A stopped limiter keeps its leases. */
    NO_LEASE_RETURN("I3"),
    /** Regions receive half of their grants. */
    HALVED_GRANTS("I4"),
    /** Regions receive all but a fiftieth of their grants. */
    TRUNCATED_GRANTS("I4"),
    /** Leaders clear flags that they have set. */
    FLAPPING_FLAG("I5"),
    /** A check that one limit denies is charged to its other limits. */
    NO_ALL_OR_NOTHING("I7"),
    /** A check that an escrow limit denies is charged to its regional limit. */
    NO_ALL_OR_NOTHING_REGIONAL("I7"),
    /** A lease of one window is spent in the next. */
    NO_WINDOW_END("I7"),
    /** The group removes a silent replica after three times its session timeout. */
    LATE_SESSION("G4"),
    /** Regions do not announce themselves, so that leaders know them only by their usage. */
    NO_ANNOUNCEMENT("I8"),
    /** A check beyond the region's grant is refused at once. */
    NO_GRANT_WAIT("I9"),
    /** Regions keep grants that leaders recall. */
    NO_RECALL("I9"),
    /** A check waits for Redis for as long as that takes. */
    NO_BUDGET("F1"),
    /** Checks that share a call get the replies of each other. */
    SHUFFLED_REPLIES("I7"),
    /** Scripts count for callers that name another incarnation than that of the data. */
    NO_INCARNATION_CHECK("I7"),
    /** A limiter throws an unexpected exception. */
    UNEXPECTED_EXCEPTION(InvariantViolation.CRASH);

    private final String invariant;

    Mutation(String invariant) {
        this.invariant = invariant;
    }

    /** The invariant that detects it; another one may detect it first. */
    public String invariant() {
        return invariant;
    }
}
