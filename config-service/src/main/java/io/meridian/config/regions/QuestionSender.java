package io.meridian.config.regions;

import io.meridian.model.wire.RegionQuery;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Puts questions to the limiters. The producer is made with the first: one that cannot be made now may be later. */
@Singleton
class QuestionSender {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final RegionsConfig config;
    private final Map<String, Object> kafka;
    private @Nullable KafkaProducer<String, String> producer;

    QuestionSender(RegionsConfig config, @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.config = config;
        this.kafka = kafka;
    }

    /** Hands it over; waits for Kafka, not for long, and fails with {@link RegionsAway}. */
    void send(OpenQuestion open) {
        RegionQuery question = open.question();
        try {
            Future<?> unused = producer()
                    .send(
                            new ProducerRecord<>(config.questionsTopic(), question.id(), question.encode()),
                            (metadata, failure) -> {
                                if (failure != null) {
                                    open.done().complete(false);
                                }
                            });
        } catch (KafkaException away) {
            throw new RegionsAway("Kafka does not take the question: " + away.getMessage(), false);
        }
    }

    private synchronized KafkaProducer<String, String> producer() {
        if (producer == null) {
            String servers = config.bootstrapServers()
                    .orElseThrow(() -> new RegionsAway("kafka.bootstrap.servers is not set", false));
            producer = new KafkaProducer<>(KafkaOptions.producer(kafka, servers));
        }
        return producer;
    }

    @PreDestroy
    synchronized void stop() {
        if (producer != null) {
            producer.close(CLOSE_TIMEOUT);
        }
    }
}
