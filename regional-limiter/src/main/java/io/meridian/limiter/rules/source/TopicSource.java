package io.meridian.limiter.rules.source;

import io.meridian.limiter.rules.ActiveRules;
import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaLoop;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicIdentity;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jboss.logging.Logger;

/**
 * Follower of the policies topic, on a thread of its own, until it is closed. While Kafka is unreachable or the topic is missing,
 * the rules in effect stay.
 */
final class TopicSource implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(TopicSource.class);
    private static final KafkaLoop.Pauses PAUSES = new KafkaLoop.Pauses(Duration.ofMillis(100), Duration.ofSeconds(2));
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDENTITY_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, Object> settings;
    private final String topic;
    private final ActiveRules live;
    private final TimeSource time;
    private final CountDownLatch loaded = new CountDownLatch(1);
    private final KafkaLoop loop;

    TopicSource(KafkaSettings settings, String topic, ActiveRules live, TimeSource time) {
        this.settings = settings.asMap();
        this.topic = topic;
        this.live = live;
        this.time = time;
        this.loop = new KafkaLoop(
                "policies-topic",
                "the topic " + topic + " cannot be followed, the rules in effect stay",
                PAUSES,
                CLOSE_TIMEOUT,
                Following::new);
    }

    /** The topic is read from its beginning, every time. */
    static KafkaSettings settings(Map<String, Object> kafka, String bootstrapServers) {
        return KafkaSettings.consumer(kafka, bootstrapServers, "meridian-policies")
                .readingTexts()
                // A position that is gone means another topic: it is read anew, not skipped over.
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none")
                .fetching(10_000, 8 << 20, 16 << 20);
    }

    void start() {
        loop.start();
    }

    /** Waits until the topic was read once, and is whole. */
    boolean awaitLoaded(Duration timeout) {
        try {
            return loaded.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Following implements KafkaLoop.Work {
        private final KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings);
        private final TopicIdentity identity = new TopicIdentity(settings, topic, IDENTITY_TIMEOUT);

        /** Reads the topic from its beginning, and follows it until it has to be read anew. */
        @Override
        public void step(KafkaLoop following) {
            TopicReader reader = new TopicReader(consumer, identity, topic, live, time, loaded::countDown);
            try {
                if (!reader.load()) {
                    following.retry("there is no such topic");
                    return;
                }
                following.succeeded();
                if (!reader.isWhole()) {
                    LOG.warnf(
                            "config-service has not said yet that the topic %s is whole; the rules in effect stay until it"
                                    + " does",
                            topic);
                }
                reader.follow();
            } catch (InvalidOffsetException gone) {
                following.retry("it is not the one that was being read, and is read anew: " + gone.getMessage());
            }
        }

        @Override
        public void wakeup() {
            consumer.wakeup();
        }

        @Override
        public void close() {
            try (consumer;
                    identity) {}
        }
    }
}
