package io.meridian.model.access;

/** What the caller of a limiter may do. None of them includes another. */
public enum TokenScope {
    /** Checks, batches, status, forward-auth, leases. */
    CHECK,
    /** Refunds, resets, reservations. */
    OPERATE,
    /** Reports of the region's load. */
    LOAD
}
