package io.meridian.limiter.report;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the centre, on a thread of its own because Kafka's producer may block its caller: answers as they come, and a
 * report whenever one is due. What Kafka does not take is given up: it would be worth nothing later.
 */
final class Courier implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Courier.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration CREATE_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Map<String, Object> options;
    private final Supplier<@Nullable ProducerRecord<String, String>> reports;
    private final TimeSource time;
    private final BlockingQueue<ProducerRecord<String, String>> waiting;
    private final Thread thread = new Thread(this::run, "reports");
    private volatile boolean closed;
    private volatile boolean away;
    private @Nullable KafkaProducer<String, String> producer;
    private long failedNanos;

    /** @param reports the report that is due now, or null; asked again and again */
    Courier(
            Map<String, Object> options,
            int waitingMax,
            Supplier<@Nullable ProducerRecord<String, String>> reports,
            TimeSource time) {
        this.options = options;
        this.waiting = new ArrayBlockingQueue<>(waitingMax);
        this.reports = reports;
        this.time = time;
        this.failedNanos = time.monotonicNanos() - CREATE_AGAIN_AFTER.toNanos();
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes a record to be sent, without waiting; false if there is no room. */
    boolean offer(ProducerRecord<String, String> record) {
        return waiting.offer(record);
    }

    private void run() {
        while (!closed) {
            try {
                ProducerRecord<String, String> answer = waiting.poll(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
                if (answer != null) {
                    send(answer);
                }
                ProducerRecord<String, String> report = reports.get();
                if (report != null) {
                    send(report);
                }
            } catch (InterruptedException | InterruptException ending) {
                closed = true;
            } catch (RuntimeException unexpected) {
                LOG.errorf(unexpected, "a record for the centre is lost");
            }
        }
        KafkaProducer<String, String> last = producer;
        if (last != null) {
            last.close(CLOSE_TIMEOUT);
        }
    }

    private void send(ProducerRecord<String, String> record) {
        KafkaProducer<String, String> sender = sender();
        if (sender == null) {
            return;
        }
        try {
            Future<?> unused = sender.send(record, (metadata, failure) -> note(failure));
        } catch (InterruptException interrupted) {
            throw interrupted;
        } catch (KafkaException refused) {
            note(refused);
        }
    }

    /** A producer whose Kafka has no address yet cannot be made; it is tried again, not too often. */
    private @Nullable KafkaProducer<String, String> sender() {
        boolean pausing = time.monotonicNanos() - failedNanos < CREATE_AGAIN_AFTER.toNanos();
        if (producer == null && !pausing) {
            try {
                producer = new KafkaProducer<>(options);
            } catch (KafkaException unreachable) {
                failedNanos = time.monotonicNanos();
                note(unreachable);
            }
        }
        return producer;
    }

    private void note(@Nullable Exception failure) {
        if (failure != null && !away) {
            LOG.warnf("Kafka takes no reports, the centre does not hear of this instance: reason=%s", failure);
        } else if (failure == null && away) {
            LOG.info("Kafka takes reports again");
        }
        away = failure != null;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(2 * CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
