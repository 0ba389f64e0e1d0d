package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig.OperationConfig;
import io.meridian.limiter.metrics.DeliveryMetrics.OperationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.OperationMetrics.OperationLoss;
import io.meridian.limiter.operations.OperationTrail;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.OperationRecord;
import io.meridian.service.kafka.KafkaLoop;
import io.meridian.service.kafka.RecordSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
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

    private final OperationRecords records;
    private final String topic;
    private final OperationMetrics metrics;
    private final BlockingQueue<OperationRecord> waiting;
    private final RecordSender<String, String> sender;
    /** Taken from the queue and not acknowledged; of the thread of the loop. */
    private final List<OperationRecord> batch = new ArrayList<>();

    private final KafkaLoop loop;

    /** @param producers makes a producer when there is something to send: one that cannot be made now may be later */
    KafkaOperations(
            OperationConfig config,
            OperationRecords records,
            Supplier<Producer<String, String>> producers,
            OperationMetrics metrics,
            TimeSource time) {
        this.records = records;
        this.topic = config.topic();
        this.metrics = metrics;
        this.waiting = new ArrayBlockingQueue<>(config.waitingMax());
        this.sender = new RecordSender<>("operations", "they wait", producers, time);
        // Goes on sending for as long as the configuration says; what still waits then is dropped.
        this.loop = new KafkaLoop(
                "operations",
                "operations cannot be sent",
                KafkaLoop.Pauses.STANDARD,
                config.stopWithin(),
                Sending::new);
    }

    void start() {
        loop.start();
    }

    @Override
    public void add(Entry operation) {
        try {
            if (!waiting.offer(records.of(operation))) {
                metrics.dropped(OperationLoss.NO_ROOM, 1);
            }
        } catch (RuntimeException unexpected) {
            metrics.dropped(OperationLoss.UNDELIVERED, 1);
            LOG.errorf(unexpected, "an operation cannot be sent: caller=%s", operation.caller());
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Sending implements KafkaLoop.Work {
        @Override
        public void step(KafkaLoop working) throws InterruptedException {
            send();
            working.succeeded();
        }

        @Override
        public void last(KafkaLoop working) throws InterruptedException {
            while (!waiting.isEmpty() || !batch.isEmpty()) {
                send();
            }
        }

        private void send() throws InterruptedException {
            if (batch.isEmpty()) {
                fill();
            }
            deliver();
            if (!batch.isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(AGAIN_AFTER.toNanos());
            }
        }

        private void fill() throws InterruptedException {
            OperationRecord first = waiting.poll(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
            if (first != null) {
                batch.add(first);
                waiting.drainTo(batch, BATCH_MAX - 1);
            }
        }

        /** Sends the batch and waits for its acknowledgements; what is left in it is to be sent again. */
        private void deliver() throws InterruptedException {
            List<CompletableFuture<Void>> sent = new ArrayList<>();
            for (OperationRecord each : batch) {
                CompletableFuture<Void> future = sender.send(new ProducerRecord<>(topic, each.id(), each.encode()));
                sent.add(future);
                if (future.isCompletedExceptionally()) {
                    // Each further one would block for as long as this one did.
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
                    LOG.errorf("an operation is too large to be sent: reason=%s", refused.getMessage());
                } else {
                    left.add(batch.get(i));
                }
            }
            left.addAll(batch.subList(sent.size(), batch.size()));
            batch.clear();
            batch.addAll(left);
        }

        private static @Nullable Throwable refusal(CompletableFuture<Void> sent) throws InterruptedException {
            try {
                sent.get();
                return null;
            } catch (ExecutionException failed) {
                return failed.getCause();
            }
        }

        @Override
        public void close() {
            if (loop.isOpen()) {
                return;
            }
            metrics.dropped(OperationLoss.STOPPED, batch.size() + waiting.size());
            sender.close(Duration.ZERO);
        }
    }
}
