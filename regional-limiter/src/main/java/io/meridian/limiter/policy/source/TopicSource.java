package io.meridian.limiter.policy.source;

import io.meridian.limiter.policy.ActiveRules;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the policies topic on a thread of its own, for ever: a Kafka that is away or a topic that does not exist changes
 * nothing that is in effect.
 */
final class TopicSource implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(TopicSource.class);
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDENTITY_TIMEOUT = Duration.ofSeconds(2);

    private final Map<String, Object> settings;
    private final String topic;
    private final ActiveRules live;
    private final TimeSource time;
    private final Thread thread = new Thread(this::run, "policies-topic");
    private final CountDownLatch loaded = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable KafkaConsumer<String, String> consumer;
    private Duration pause = PAUSE_MIN;
    private String told = "";

    TopicSource(Map<String, Object> settings, String topic, ActiveRules live, TimeSource time) {
        this.settings = settings;
        this.topic = topic;
        this.live = live;
        this.time = time;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
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

    private void run() {
        while (closed.getCount() > 0) {
            try (KafkaConsumer<String, String> own = new KafkaConsumer<>(settings);
                    TopicIdentity identity = new TopicIdentity(settings, topic, IDENTITY_TIMEOUT)) {
                consumer = own;
                while (closed.getCount() > 0) {
                    read(own, identity);
                }
            } catch (WakeupException | InterruptException ending) {
                LOG.debugf("reading ends: topic=%s", topic);
            } catch (KafkaException away) {
                pause("cannot be read now: reason=" + reason(away));
            } catch (RuntimeException unexpected) {
                LOG.errorf(unexpected, "the policies topic will be read anew: topic=%s", topic);
                pause("failed: reason=" + unexpected);
            }
        }
    }

    private void read(KafkaConsumer<String, String> own, TopicIdentity identity) {
        TopicReader reader = new TopicReader(own, identity, topic, live, time, loaded::countDown);
        try {
            if (!reader.load()) {
                pause("does not exist");
                return;
            }
            pause = PAUSE_MIN;
            told = "";
            if (!reader.isWhole()) {
                LOG.warnf(
                        "the policies topic is not said to be whole by config-service; what is in effect stays until it is:"
                                + " topic=%s",
                        topic);
            }
            reader.follow();
        } catch (InvalidOffsetException gone) {
            pause("is not the one that was being read, and is read anew: reason=" + gone.getMessage());
        }
    }

    /** Waits a little longer each time; what has not changed is told once. */
    private void pause(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warnf("the policies topic %s; what is in effect stays: topic=%s", reason, topic);
        }
        try {
            if (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
            }
        } catch (InterruptedException interrupted) {
            closed.countDown();
        }
    }

    private static String reason(KafkaException away) {
        Throwable cause = away.getCause() == null ? away : away.getCause();
        return cause.toString();
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
