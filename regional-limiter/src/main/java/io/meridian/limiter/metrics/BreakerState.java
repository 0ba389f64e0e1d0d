package io.meridian.limiter.metrics;

/** The circuit breaker before Redis. */
public enum BreakerState {
    CLOSED(0),
    HALF_OPEN(1),
    OPEN(2);

    private final int level;

    BreakerState(int level) {
        this.level = level;
    }

    /** What the gauge shows. */
    int level() {
        return level;
    }
}
