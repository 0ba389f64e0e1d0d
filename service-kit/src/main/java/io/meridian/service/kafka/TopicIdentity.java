package io.meridian.service.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Identity that Kafka gives a topic when it is created. One that was deleted and created again under its name has another. */
public final class TopicIdentity implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Admin admin;
    private final String topic;
    private final Duration timeout;

    /** @param settings of any client of the same Kafka */
    public TopicIdentity(Map<String, Object> settings, String topic, Duration timeout) {
        Map<String, Object> own = new HashMap<>(settings);
        own.keySet().retainAll(AdminClientConfig.configNames());
        this.admin = Admin.create(own);
        this.topic = topic;
        this.timeout = timeout;
    }

    /** Empty if there is no such topic. Fails if Kafka does not answer in time. */
    public Optional<String> current() {
        KafkaFuture<TopicDescription> described = Objects.requireNonNull(
                admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        try {
            return Optional.of(described
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .topicId()
                    .toString());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw failed.getCause() instanceof KafkaException known ? known : new KafkaException(failed.getCause());
        } catch (java.util.concurrent.TimeoutException late) {
            throw new TimeoutException("Kafka did not describe the topic " + topic + " in time", late);
        } catch (InterruptedException interrupted) {
            throw new InterruptException(interrupted);
        }
    }

    @Override
    public void close() {
        admin.close(CLOSE_TIMEOUT);
    }
}
