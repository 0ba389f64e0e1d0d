package io.meridian.limiter.metrics;

/** What one limit said to a check. */
public enum LimitOutcome {
    ALLOWED,
    DENIED,
    THROTTLED,
    /** A policy that only records would have denied. */
    SHADOW_DENIED
}
