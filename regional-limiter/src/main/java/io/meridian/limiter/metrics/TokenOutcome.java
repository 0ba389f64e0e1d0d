package io.meridian.limiter.metrics;

/** What a bearer token was worth. */
public enum TokenOutcome {
    VERIFIED,
    UNVERIFIED,
    REFUSED,
    /** Counted as an API key. */
    OPAQUE
}
