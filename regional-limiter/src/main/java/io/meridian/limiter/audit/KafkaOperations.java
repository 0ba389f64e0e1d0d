package io.meridian.limiter.audit;

import io.meridian.limiter.decide.OperationTrail;
import io.meridian.limiter.metrics.OperationLoss;
import io.meridian.limiter.metrics.OperationMetrics;
import io.meridian.model.wire.OperationRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Bounded queue of operations that wait for Kafka, and the thread that empties it. An operation leaves the queue when Kafka has
 * acknowledged it; until then it is sent again, and whoever reads it twice knows it by its id. When the queue is full further
 * operations are dropped and counted: no caller ever waits for Kafka.
 */
final class KafkaOperations implements OperationTrail, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(KafkaOperations.class);
    private static final int BATCH_MAX = 100;
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);
    private static final Duration STOP_MARGIN = Duration.ofSeconds(1);

    private final OperationRecords records;
    private final Supplier<Producer<String, String>> producers;
    private final String topic;
    private final Duration stopWithin;
    private final OperationMetrics metrics;
    private final BlockingQueue<OperationRecord> waiting;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "operations");
    private @Nullable Producer<String, String> producer;
    private boolean away;

    /** @param producers makes a producer when there is something to send: one that cannot be made now may be later */
    KafkaOperations(
            OperationConfig config,
            OperationRecords records,
            Supplier<Producer<String, String>> producers,
            OperationMetrics metrics) {
        this.records = records;
        this.producers = producers;
        this.topic = config.topic();
        this.stopWithin = config.stopWithin();
        this.metrics = metrics;
        this.waiting = new ArrayBlockingQueue<>(config.waitingMax());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void add(Entry operation) {
        try {
            if (!waiting.offer(records.of(operation))) {
                metrics.dropped(OperationLoss.NO_ROOM, 1);
            }
        } catch (RuntimeException unexpected) {
            metrics.dropped(OperationLoss.UNDELIVERED, 1);
            LOG.errorf(unexpected, "an operation cannot be told: caller=%s", operation.caller());
        }
    }

    private void run() {
        List<OperationRecord> batch = new ArrayList<>();
        try {
            while (stopped.getCount() > 0 || !waiting.isEmpty() || !batch.isEmpty()) {
                if (batch.isEmpty()) {
                    fill(batch);
                }
                deliver(batch);
                if (!batch.isEmpty()) {
                    TimeUnit.NANOSECONDS.sleep(AGAIN_AFTER.toNanos());
                }
            }
        } catch (InterruptedException | InterruptException ending) {
            LOG.debug("telling of operations is broken off");
        } finally {
            boolean unused = Thread.interrupted();
            metrics.dropped(OperationLoss.STOPPED, batch.size() + waiting.size());
            closeProducer();
        }
    }

    private void fill(List<OperationRecord> batch) throws InterruptedException {
        OperationRecord first = waiting.poll(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
            batch.add(first);
            waiting.drainTo(batch, BATCH_MAX - 1);
        }
    }

    /** Sends a batch and waits for its acknowledgements; what is left in it is to be sent again. */
    private void deliver(List<OperationRecord> batch) throws InterruptedException {
        List<Future<?>> sent = new ArrayList<>();
        @Nullable Throwable failure = null;
        for (OperationRecord each : batch) {
            try {
                Future<?> future = producer().send(new ProducerRecord<>(topic, each.id(), each.encode()));
                sent.add(future);
                if (future.isDone() && refusal(future) != null) {
                    // Each further one would block for as long as this one did.
                    break;
                }
            } catch (InterruptException interrupted) {
                throw interrupted;
            } catch (RuntimeException refused) {
                failure = refused;
                break;
            }
        }
        List<OperationRecord> left = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            @Nullable Throwable refused = refusal(sent.get(i));
            if (refused == null) {
                metrics.sent();
            } else if (refused instanceof RecordTooLargeException) {
                metrics.dropped(OperationLoss.UNDELIVERED, 1);
                LOG.errorf("an operation is too large to be told: reason=%s", refused.getMessage());
            } else {
                left.add(batch.get(i));
                failure = refused;
            }
        }
        left.addAll(batch.subList(sent.size(), batch.size()));
        note(failure, sent.isEmpty());
        batch.clear();
        batch.addAll(left);
    }

    private static @Nullable Throwable refusal(Future<?> sent) throws InterruptedException {
        try {
            sent.get();
            return null;
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }

    private Producer<String, String> producer() {
        if (producer == null) {
            producer = producers.get();
        }
        return producer;
    }

    /** Tells once that Kafka is away and once that it is back. A producer that failed otherwise than by a timeout may be past use. */
    private void note(@Nullable Throwable failure, boolean nothingSent) {
        if (failure == null) {
            if (away && !nothingSent) {
                away = false;
                LOG.infof("Kafka takes operations again: topic=%s", topic);
            }
            return;
        }
        if (!away) {
            away = true;
            LOG.warnf("Kafka does not take operations, they wait: topic=%s reason=%s", topic, failure.getMessage());
        }
        if (!(failure instanceof TimeoutException || failure instanceof AuthorizationException)) {
            closeProducer();
        }
    }

    private void closeProducer() {
        Producer<String, String> closing = producer;
        producer = null;
        if (closing == null) {
            return;
        }
        try {
            closing.close(Duration.ZERO);
        } catch (InterruptException interrupted) {
            throw interrupted;
        } catch (RuntimeException failed) {
            LOG.debugf(failed, "a producer could not be closed");
        }
    }

    /** Goes on telling for as long as the configuration says; what still waits then is dropped. */
    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(stopWithin.toMillis());
            thread.interrupt();
            thread.join(STOP_MARGIN.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
