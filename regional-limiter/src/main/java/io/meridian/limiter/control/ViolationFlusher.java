package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.control.ViolationTally.ViolationKey;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics.ViolationLoss;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.ViolationRecord;
import io.meridian.service.kafka.KafkaLoop;
import io.meridian.service.kafka.RecordSender;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.jboss.logging.Logger;

/**
 * Sender of tallies to Kafka, once per interval, on a thread of its own. What Kafka does not take waits, and further denials
 * of a limit that waits add to it; where more limits wait than may, the newcomers are dropped and counted.
 */
final class ViolationFlusher implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ViolationFlusher.class);
    private static final Duration STOP_MARGIN = Duration.ofSeconds(1);

    private final OpenTallies open;
    private final RecordSender<byte[], byte[]> sender;
    private final ViolationMetrics metrics;
    private final ViolationConfig config;
    private final String region;
    private final Map<ViolationKey, ViolationTally> waiting = new LinkedHashMap<>();
    private final KafkaLoop loop;

    /** @param producers makes the producer at the first record: one that cannot be made now may be later */
    ViolationFlusher(
            OpenTallies open,
            Supplier<Producer<byte[], byte[]>> producers,
            ViolationMetrics metrics,
            ViolationConfig config,
            String region,
            TimeSource time) {
        this.open = open;
        this.sender = new RecordSender<>("violations", "they wait", producers, time);
        this.metrics = metrics;
        this.config = config;
        this.region = region;
        this.loop = new KafkaLoop(
                "violations",
                "violations cannot be sent",
                KafkaLoop.Pauses.STANDARD,
                config.stopWithin().plus(config.maxBlock()).plus(STOP_MARGIN),
                Flushing::new);
    }

    void start() {
        loop.start();
    }

    /** Flushes a last time, and returns when that is over, within the bound of the configuration. */
    @Override
    public void close() {
        loop.close();
    }

    private void flush() {
        open.drain(this::await);
        Iterator<Map.Entry<ViolationKey, ViolationTally>> next =
                waiting.entrySet().iterator();
        while (next.hasNext()) {
            Map.Entry<ViolationKey, ViolationTally> entry = next.next();
            if (!isTaken(entry.getKey(), entry.getValue())) {
                return;
            }
            next.remove();
        }
    }

    private void await(ViolationKey key, ViolationTally tally) {
        ViolationTally before = waiting.get(key);
        if (before != null) {
            before.add(tally);
        } else if (waiting.size() < config.openMax()) {
            waiting.put(key, tally);
        } else {
            metrics.dropped(ViolationLoss.NO_ROOM, tally.count());
        }
    }

    /** Whether the record is taken care of; if not, it may be offered again later. One that fails is given up, lest it stand before all others for ever. */
    private boolean isTaken(ViolationKey key, ViolationTally tally) {
        ViolationRecord violation;
        ProducerRecord<byte[], byte[]> record;
        try {
            violation = tally.record(key, region);
            record = new ProducerRecord<>(config.topic(), violation.recordKey(), violation.recordValue());
        } catch (RuntimeException e) {
            LOG.errorf(e, "A violation cannot be sent: policy=%s", key.policyId());
            metrics.dropped(ViolationLoss.UNDELIVERED, tally.count());
            return true;
        }
        CompletableFuture<Void> sent = sender.send(record);
        if (isRefused(sent)) {
            return false;
        }
        Future<?> unused = sent.whenComplete((acknowledged, failure) -> {
            if (failure == null) {
                metrics.sent(violation.count());
            } else {
                metrics.dropped(ViolationLoss.UNDELIVERED, violation.count());
            }
        });
        return true;
    }

    /** A failure within the call of send, for want of room or of a Kafka, is no loss; a later one is. */
    private static boolean isRefused(CompletableFuture<Void> sent) {
        try {
            sent.getNow(null);
            return false;
        } catch (CompletionException failed) {
            return RecordSender.cause(failed) instanceof RetriableException;
        }
    }

    private final class Flushing implements KafkaLoop.Work {
        @Override
        public void step(KafkaLoop flushing) throws InterruptedException {
            if (flushing.await(config.interval())) {
                flush();
                flushing.succeeded();
            }
        }

        @Override
        public void last(KafkaLoop flushing) {
            flush();
        }

        @Override
        public void close() {
            if (loop.isOpen()) {
                return;
            }
            waiting.values().forEach(tally -> metrics.dropped(ViolationLoss.STOPPED, tally.count()));
            sender.close(config.stopWithin());
        }
    }
}
