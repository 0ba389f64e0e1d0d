package io.meridian.limiter.metrics;

/** Why a reset or a refund will not be in the audit trail. */
public enum OperationLoss {
    /** Kafka was away for so long that there was no more room to wait. */
    NO_ROOM,
    /** It cannot be a record. */
    UNDELIVERED,
    /** The instance stopped before Kafka took it. */
    STOPPED
}
