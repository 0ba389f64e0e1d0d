package io.meridian.service.kafka;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Producer that is created with its first record, since one that cannot be created now may be later, and created anew after a failure that may have left
 * it unusable. Creation is tried once a second. That Kafka takes no records is logged once, and so is that it takes them again.
 */
public final class RecordSender<K, V> implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(RecordSender.class);
    private static final Duration CREATE_AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final String records;
    private final String effect;
    private final Supplier<? extends Producer<K, V>> producers;
    private final TimeSource time;
    private @Nullable Producer<K, V> producer;
    private long failedNanos;
    private boolean closed;
    private volatile boolean away;
    private volatile boolean unusable;

    /**
     * @param records what is sent, as it is logged
     * @param effect what it means that Kafka takes none, as it is logged
     */
    public RecordSender(String records, String effect, Supplier<? extends Producer<K, V>> producers, TimeSource time) {
        this.records = records;
        this.effect = effect;
        this.producers = producers;
        this.time = time;
        this.failedNanos = time.monotonicNanos() - CREATE_AGAIN_AFTER.toNanos();
    }

    public CompletableFuture<Void> send(ProducerRecord<K, V> record) {
        return send(List.of(record));
    }

    /**
     * Hands records over, which may block for as long as the producer's settings say. The result is there when Kafka has acknowledged all of them, and
     * fails if it does not take one; it has failed with a {@link RetriableException} by now if there was no room or no Kafka to hand it to.
     */
    public CompletableFuture<Void> send(List<ProducerRecord<K, V>> some) {
        CompletableFuture<Void> sent;
        try {
            Producer<K, V> sender = producer();
            sent = CompletableFuture.allOf(
                    some.stream().map(each -> send(sender, each)).toArray(CompletableFuture<?>[]::new));
        } catch (InterruptException interrupted) {
            throw interrupted;
        } catch (RuntimeException refused) {
            sent = CompletableFuture.failedFuture(refused);
        }
        return sent.whenComplete((acknowledged, failure) -> note(failure));
    }

    private static <K, V> CompletableFuture<Void> send(Producer<K, V> sender, ProducerRecord<K, V> record) {
        CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        Future<?> unused = sender.send(record, (metadata, failure) -> {
            if (failure == null) {
                acknowledged.complete(null);
            } else {
                acknowledged.completeExceptionally(failure);
            }
        });
        return acknowledged;
    }

    /** How many partitions a topic has. May block, and fails if Kafka does not say. */
    public synchronized int partitions(String topic) {
        requireNoPause();
        try {
            return producer().partitionsFor(topic).size();
        } catch (KafkaException unknown) {
            failedNanos = time.monotonicNanos();
            throw unknown;
        }
    }

    /** Cause of a failed send, without its {@link CompletionException}. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private synchronized Producer<K, V> producer() {
        if (closed) {
            throw new IllegalStateException("the sender of " + records + " is closed");
        }
        if (unusable) {
            discard(Duration.ZERO);
            unusable = false;
        }
        if (producer == null) {
            requireNoPause();
            try {
                producer = producers.get();
            } catch (KafkaException failed) {
                failedNanos = time.monotonicNanos();
                throw new TimeoutException("no producer can be created now", failed);
            }
        }
        return producer;
    }

    private void requireNoPause() {
        if (time.monotonicNanos() - failedNanos < CREATE_AGAIN_AFTER.toNanos()) {
            throw new TimeoutException("Kafka was away a moment ago");
        }
    }

    private void note(@Nullable Throwable failure) {
        if (failure == null) {
            if (away) {
                away = false;
                LOG.infof("Kafka takes %s again", records);
            }
            return;
        }
        Throwable cause = cause(failure);
        unusable |= isFatal(cause);
        if (!away) {
            away = true;
            LOG.warnf("Kafka does not take %s, %s: reason=%s", records, effect, cause);
        }
    }

    /** Other failures pass, or are of one record or topic. */
    private static boolean isFatal(Throwable cause) {
        return !(cause instanceof RetriableException
                || cause instanceof TopicAuthorizationException
                || cause instanceof RecordTooLargeException
                || cause instanceof SerializationException);
    }

    /** Waits so long for what was handed over, then gives it up. */
    public synchronized void close(Duration atMost) {
        closed = true;
        discard(atMost);
    }

    private void discard(Duration closeWithin) {
        Producer<K, V> last = producer;
        producer = null;
        if (last == null) {
            return;
        }
        try {
            last.close(closeWithin);
        } catch (InterruptException interrupted) {
            throw interrupted;
        } catch (KafkaException failed) {
            LOG.debugf(failed, "a producer could not be closed: records=%s", records);
        }
    }

    @Override
    public void close() {
        close(CLOSE_WITHIN);
    }
}
