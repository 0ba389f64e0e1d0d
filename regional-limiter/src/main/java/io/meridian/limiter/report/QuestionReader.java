package io.meridian.limiter.report;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Follows the topic of questions from its end, on a thread of its own, for ever; a Kafka that is away is waited for. */
final class QuestionReader implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(QuestionReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, Object> options;
    private final String topic;
    private final Consumer<String> questions;
    private final Thread thread = new Thread(this::run, "questions");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable KafkaConsumer<String, String> consumer;
    private String told = "";

    QuestionReader(Map<String, Object> options, String topic, Consumer<String> questions) {
        this.options = options;
        this.topic = topic;
        this.questions = questions;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (closed.getCount() > 0) {
            try (KafkaConsumer<String, String> own = new KafkaConsumer<>(options)) {
                consumer = own;
                follow(own);
            } catch (WakeupException | InterruptException ending) {
                LOG.debugf("reading ends: topic=%s", topic);
            } catch (RuntimeException away) {
                pause(away instanceof KafkaException ? "cannot be read now" : "failed: " + away);
            }
        }
    }

    private void follow(KafkaConsumer<String, String> own) {
        List<PartitionInfo> partitions = own.partitionsFor(topic);
        if (partitions == null || partitions.isEmpty()) {
            pause("does not exist");
            return;
        }
        own.assign(partitions.stream()
                .map(each -> new TopicPartition(topic, each.partition()))
                .toList());
        own.seekToEnd(own.assignment());
        own.assignment().forEach(own::position);
        told = "";
        while (closed.getCount() > 0) {
            for (ConsumerRecord<String, String> record : own.poll(POLL)) {
                if (record.value() != null) {
                    questions.accept(record.value());
                }
            }
        }
    }

    /** What has not changed is told once. */
    private void pause(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warnf("the topic of questions %s, the centre cannot ask this instance: topic=%s", reason, topic);
        }
        try {
            boolean unused = closed.await(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        KafkaConsumer<String, String> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
