package io.meridian.limiter.control;

import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaLoop;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.RecordSender;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sender of reports and answers, on a thread of its own because Kafka's producer may block its caller: answers as they come, from a bounded queue, and a
 * report whenever one is due. What Kafka does not take is given up: it would be worth nothing later.
 */
final class ControlSender implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Supplier<@Nullable ProducerRecord<String, String>> reports;
    private final BlockingQueue<ProducerRecord<String, String>> waiting;
    private final RecordSender<String, String> sender;
    private final KafkaLoop loop;

    /** @param reports the report that is due now, or null; called again and again */
    ControlSender(
            KafkaSettings settings,
            int waitingMax,
            Supplier<@Nullable ProducerRecord<String, String>> reports,
            TimeSource time) {
        Map<String, Object> options = settings.asMap();
        this.waiting = new ArrayBlockingQueue<>(waitingMax);
        this.reports = reports;
        this.sender = new RecordSender<>(
                "reports", "config-service does not know of this instance", () -> new KafkaProducer<>(options), time);
        this.loop = new KafkaLoop(
                "reports",
                "a record for config-service is lost",
                KafkaLoop.Pauses.STANDARD,
                CLOSE_TIMEOUT,
                () -> working -> {
                    sendDue();
                    working.succeeded();
                });
    }

    /** For records that are worth little after seconds. */
    static KafkaSettings settings(Map<String, Object> kafka, String bootstrapServers) {
        return KafkaSettings.producer(kafka, bootstrapServers, "limiter-reports")
                .writingTexts()
                .batching("none", Duration.ZERO, 16 << 10, 4L << 20)
                .delivering(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    void start() {
        loop.start();
    }

    /** Takes a record to be sent, without waiting; false if there is no room. */
    boolean offer(ProducerRecord<String, String> record) {
        return waiting.offer(record);
    }

    private void sendDue() throws InterruptedException {
        ProducerRecord<String, String> answer = waiting.poll(LOOK_EVERY.toNanos(), TimeUnit.NANOSECONDS);
        if (answer != null) {
            Future<?> unused = sender.send(answer);
        }
        ProducerRecord<String, String> report = reports.get();
        if (report != null) {
            Future<?> unused = sender.send(report);
        }
    }

    @Override
    public void close() {
        loop.close();
        sender.close(CLOSE_TIMEOUT);
    }
}
