package io.meridian.limiter.metrics;

/** Why a decision of the sample is not in the log. */
public enum DecisionLogLoss {
    /** The second had all the records that it may have. */
    RATE,
    /** The queue was full: the log is slower than the rate. */
    QUEUE,
    /** The log refused the line. */
    UNWRITTEN
}
