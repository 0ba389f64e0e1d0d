package io.meridian.limiter.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the records that leave this instance for Kafka or its log, and of those that are lost on the way. */
public final class DeliveryMetrics {
    private DeliveryMetrics() {}

    /** Meters of denials on their way to Kafka. Sent and dropped both count denials: what is in neither still waits. */
    public static final class ViolationMetrics {
        private final LongAdder sent;
        private final LongAdder records;
        private final Counts<ViolationLoss> dropped;

        ViolationMetrics(MeterRegistry registry) {
            sent = Counts.adder(
                    registry, LimiterMetrics.VIOLATIONS_SENT, "Denials acknowledged by Kafka", Tags.empty());
            records = Counts.adder(
                    registry, LimiterMetrics.VIOLATIONS_RECORDS, "Kafka records that carried denials", Tags.empty());
            dropped = new Counts<>(
                    registry,
                    LimiterMetrics.VIOLATIONS_DROPPED,
                    "Denials dropped before Kafka acknowledged them",
                    Tags.empty(),
                    "reason",
                    ViolationLoss.class);
        }

        /** Kafka acknowledged a record of so many denials. */
        public void sent(long denials) {
            sent.add(denials);
            records.increment();
        }

        public void dropped(ViolationLoss reason, long denials) {
            dropped.add(reason, denials);
        }

        /** Reason why a denial does not reach Kafka. */
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
    }

    /** Meters of resets and refunds on their way to the audit trail. What is neither sent nor dropped still waits. */
    public static final class OperationMetrics {
        private final LongAdder sent;
        private final Counts<OperationLoss> dropped;

        OperationMetrics(MeterRegistry registry) {
            sent = Counts.adder(
                    registry, LimiterMetrics.OPERATIONS_SENT, "Resets and refunds acknowledged by Kafka", Tags.empty());
            dropped = new Counts<>(
                    registry,
                    LimiterMetrics.OPERATIONS_DROPPED,
                    "Resets and refunds dropped from the audit trail",
                    Tags.empty(),
                    "reason",
                    OperationLoss.class);
        }

        public void sent() {
            sent.increment();
        }

        public void dropped(OperationLoss reason, long operations) {
            dropped.add(reason, operations);
        }

        /** Reason why a reset or a refund does not reach the audit trail. */
        public enum OperationLoss {
            /** Kafka was away for so long that there was no more room to wait. */
            NO_ROOM,
            /** It cannot be a record. */
            UNDELIVERED,
            /** The instance stopped before Kafka took it. */
            STOPPED
        }
    }

    /** Meters of the decisions that were drawn for the log. */
    public static final class DecisionLogMetrics {
        private final LongAdder written;
        private final Counts<DecisionLogLoss> dropped;

        DecisionLogMetrics(MeterRegistry registry) {
            written = Counts.adder(registry, LimiterMetrics.DECISION_LOG_WRITTEN, "Decisions logged", Tags.empty());
            dropped = new Counts<>(
                    registry,
                    LimiterMetrics.DECISION_LOG_DROPPED,
                    "Decisions of the sample that were not logged",
                    Tags.empty(),
                    "reason",
                    DecisionLogLoss.class);
        }

        public void written() {
            written.increment();
        }

        public void dropped(DecisionLogLoss reason) {
            dropped.add(reason, 1);
        }

        /** Reason why a decision of the sample is not in the log. */
        public enum DecisionLogLoss {
            /** The second had all the records that it may have. */
            RATE,
            /** The queue was full: the log is slower than the rate. */
            QUEUE,
            /** The log refused the line. */
            UNWRITTEN
        }
    }
}
