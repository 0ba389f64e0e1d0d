package io.meridian.limiter.violation;

import io.meridian.limiter.metrics.ViolationLoss;
import io.meridian.limiter.metrics.ViolationMetrics;
import io.meridian.model.wire.ViolationRecord;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to Kafka, from one thread. A producer that failed otherwise than by a timeout may be past use, and gives way
 * to a new one. Says once when Kafka goes away and once when it is back.
 */
final class Outbox {
    private static final Logger LOG = Logger.getLogger(Outbox.class);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final ViolationMetrics metrics;
    private @Nullable Producer<byte[], byte[]> producer;
    private volatile boolean away;
    private volatile boolean broken;

    /** @param producers makes the producer at the first record: one that cannot be made now may be later */
    Outbox(Supplier<Producer<byte[], byte[]>> producers, String topic, ViolationMetrics metrics) {
        this.producers = producers;
        this.topic = topic;
        this.metrics = metrics;
    }

    /** Whether the record is taken care of; if not, it may be offered again later. */
    boolean offer(ViolationRecord violation) {
        Delivery delivery = new Delivery(Thread.currentThread());
        try {
            Producer<byte[], byte[]> sender = producer();
            Future<?> unused = sender.send(
                    new ProducerRecord<>(topic, violation.recordKey(), violation.recordValue()),
                    (metadata, failure) -> delivery.done(violation, failure));
            return !delivery.refused;
        } catch (InterruptException interrupted) {
            return false;
        } catch (KafkaException unusable) {
            note(unusable);
            return false;
        }
    }

    private Producer<byte[], byte[]> producer() {
        if (broken) {
            close(Duration.ZERO);
            producer = null;
            broken = false;
        }
        if (producer == null) {
            producer = producers.get();
        }
        return producer;
    }

    /** Waits so long for what was handed over, then gives it up. */
    void close(Duration atMost) {
        if (producer != null) {
            producer.close(atMost);
        }
    }

    /** What became of one record. A failure within the call of send is told to the caller, a later one is a loss. */
    private final class Delivery {
        private final Thread caller;
        private boolean refused;

        Delivery(Thread caller) {
            this.caller = caller;
        }

        void done(ViolationRecord violation, @Nullable Exception failure) {
            if (failure == null) {
                metrics.sent(violation.count());
                noteBack();
                return;
            }
            note(failure);
            boolean timeout = failure instanceof TimeoutException;
            broken |= !timeout;
            if (timeout && Thread.currentThread().equals(caller)) {
                refused = true;
            } else {
                metrics.dropped(ViolationLoss.UNDELIVERED, violation.count());
            }
        }
    }

    private void note(Exception failure) {
        if (!away) {
            away = true;
            LOG.warnf("Kafka does not take violations, they wait: topic=%s reason=%s", topic, failure.getMessage());
        }
    }

    private void noteBack() {
        if (away) {
            away = false;
            LOG.infof("Kafka takes violations again: topic=%s", topic);
        }
    }
}
