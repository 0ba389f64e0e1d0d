package io.meridian.limiter.metrics;

/** Why the region's counters were not heard. */
public enum RedisFailure {
    /** No answer within the time budget. */
    TIMEOUT,
    /** An answer that is an error, or a connection that broke. */
    ERROR,
    /** Too many were waiting already. */
    REFUSED,
    /** The circuit breaker is open: nobody was asked. */
    BREAKER
}
