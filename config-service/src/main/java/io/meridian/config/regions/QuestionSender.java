package io.meridian.config.regions;

import io.meridian.config.regions.RegionQueries.RegionsUnavailableException;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.RegionQuery;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.RecordSender;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Sender of questions to the limiters. */
@Singleton
class QuestionSender {
    private final RegionsConfig config;
    private final RecordSender<String, String> sender;

    QuestionSender(
            RegionsConfig config, @Identifier("default-kafka-broker") Map<String, Object> kafka, TimeSource time) {
        this.config = config;
        this.sender = new RecordSender<>("questions", "they are refused", () -> producer(config, kafka), time);
    }

    /** A question that is not taken at once is refused to whoever asks. */
    private static Producer<String, String> producer(RegionsConfig config, Map<String, Object> kafka) {
        return new KafkaProducer<>(
                KafkaSettings.producer(kafka, config.bootstrapServers().orElseThrow(), "config-questions")
                        .writingTexts()
                        .batching("none", Duration.ZERO, 16 << 10, 1L << 20)
                        .delivering(Duration.ofSeconds(1), Duration.ofMillis(1_500), Duration.ofSeconds(2))
                        .asMap());
    }

    /** Hands it over; waits for Kafka, not for long, and fails with {@link RegionsUnavailableException}. */
    void send(PendingQuery open) {
        if (config.bootstrapServers().isEmpty()) {
            throw new RegionsUnavailableException("kafka.bootstrap.servers is not set", false);
        }
        RegionQuery question = open.question();
        CompletableFuture<Void> sent =
                sender.send(new ProducerRecord<>(config.questionsTopic(), question.id(), question.encode()));
        try {
            sent.getNow(null);
        } catch (CompletionException away) {
            throw new RegionsUnavailableException(
                    "Kafka does not take the question: "
                            + RecordSender.cause(away).getMessage(),
                    false);
        }
        Future<?> unused = sent.whenComplete((acknowledged, failure) -> {
            if (failure != null) {
                open.done().complete(false);
            }
        });
    }

    @PreDestroy
    void stop() {
        sender.close();
    }
}
