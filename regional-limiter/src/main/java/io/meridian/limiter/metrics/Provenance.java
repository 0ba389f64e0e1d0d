package io.meridian.limiter.metrics;

/** What decided a limit; the names are those of answers. */
public enum Provenance {
    LEASE,
    REGION,
    GLOBAL,
    FALLBACK
}
