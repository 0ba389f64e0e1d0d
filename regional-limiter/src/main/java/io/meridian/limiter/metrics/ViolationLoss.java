package io.meridian.limiter.metrics;

/** Why Kafka will not hear of a denial. */
public enum ViolationLoss {
    /** So many limits refused within one interval that this one got no aggregate. */
    TOO_MANY,
    /** Kafka was away for so long that there was no more room to wait. */
    NO_ROOM,
    /** Kafka did not acknowledge it in time, or refused it. */
    UNDELIVERED,
    /** The instance stopped before Kafka took it. */
    STOPPED
}
