package io.meridian.limiter.metrics;

/** How a check ended. */
public enum CheckOutcome {
    ALLOWED,
    DENIED,
    THROTTLED,
    /** The client is on the deny list. */
    LISTED,
    /** The client is on the allow list. */
    EXEMPT,
    /** A policy that fails closed could not be decided. */
    UNDECIDED,
    /** No policy applies. */
    UNMATCHED
}
