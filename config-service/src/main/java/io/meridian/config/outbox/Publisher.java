package io.meridian.config.outbox;

import io.meridian.config.metrics.PublisherMetrics;
import io.meridian.config.rulebook.Repairs;
import io.meridian.config.rulebook.RulebookChanged;
import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.Schema;
import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaLoop;
import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicIdentity;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Thread that publishes whenever it is this replica's turn: whatever fails ends the term, and it tries again. */
@Singleton
class Publisher {
    private static final Logger LOG = Logger.getLogger(Publisher.class);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(500);

    private final Database database;
    private final Schema schema;
    private final Outbox outbox;
    private final Repairs repairs;
    private final PublisherConfig config;
    private final PublisherMetrics metrics;
    private final TimeSource time;
    private final Map<String, Object> kafka;
    private final TopicLog log;
    private final TermLock lock;
    private final Semaphore changes = new Semaphore(0);
    private final KafkaLoop loop = new KafkaLoop(
            "outbox",
            "changes wait in the outbox",
            new KafkaLoop.Pauses(FAILURE_PAUSE, FAILURE_PAUSE),
            STOP_WITHIN,
            Publishing::new);

    Publisher(
            Database database,
            Schema schema,
            Outbox outbox,
            Repairs repairs,
            PublisherConfig config,
            PublisherMetrics metrics,
            TimeSource time,
            @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.database = database;
        this.schema = schema;
        this.outbox = outbox;
        this.repairs = repairs;
        this.config = config;
        this.metrics = metrics;
        this.time = time;
        this.kafka = kafka;
        this.log = new TopicLog(kafka, config);
        byte[] name = new byte[8];
        new SecureRandom().nextBytes(name);
        this.lock = new TermLock(database, HexFormat.of().formatHex(name), config.term());
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isPresent()) {
            loop.start();
        } else {
            LOG.warn("changes are told to nobody: kafka.bootstrap.servers is not set");
        }
    }

    void stop(@Observes ShutdownEvent stopped) {
        loop.close();
    }

    /** A change of ours need not wait for the next look. */
    void changed(@Observes RulebookChanged change) {
        changes.release();
    }

    /** A producer that fences its predecessor. */
    static Producer<String, @Nullable String> producer(Map<String, Object> kafka, PublisherConfig config) {
        return new KafkaProducer<>(
                KafkaSettings.producer(kafka, config.bootstrapServers().orElseThrow(), "meridian-config-outbox")
                        .writingTexts()
                        .with(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.transactionalId())
                        .with(
                                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                                Math.toIntExact(config.timeout().toMillis()))
                        .with(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1)
                        .batching("none", Duration.ZERO, 16 << 10, 16L << 20)
                        .delivering(config.timeout(), config.timeout().dividedBy(2), config.timeout())
                        .asMap());
    }

    private void lead() throws InterruptedException {
        Term term = new Term(lock, time);
        try (Producer<String, @Nullable String> producer = producer(kafka, config);
                TopicIdentity identity = log.identity()) {
            try {
                producer.initTransactions();
                publish(new Publication(producer, outbox, config.topic(), config.batch()), identity, term);
            } finally {
                metrics.leading(false);
                producer.close(CLOSE_WITHIN);
            }
        } finally {
            lock.release();
        }
    }

    private void publish(Publication publication, TopicIdentity identity, Term term) throws InterruptedException {
        String topicId = existing(identity);
        TopicLog.End end = log.last();
        publication.begin(end.position());
        if (end.wholeTopic().equals(topicId)) {
            publication.isWhole(topicId);
        }
        repairs.lift(end.revision(), end.position());
        metrics.leading(true);
        loop.succeeded();
        boolean due = true;
        long reconciledNanos = 0;
        long identifiedNanos = time.monotonicNanos();
        while (loop.isOpen() && lock.hold()) {
            int published = publication.publish().size();
            metrics.published(published);
            if (published < config.batch() && due) {
                reconciledNanos = time.monotonicNanos();
                due = !reconcile(publication, identity, topicId, term);
            } else if (published < config.batch()) {
                await(config.pause());
            }
            due |= time.monotonicNanos() - reconciledNanos
                    > config.reconcileEvery().toNanos();
            if (time.monotonicNanos() - identifiedNanos > config.identifyEvery().toNanos()) {
                requireSame(identity, topicId);
                identifiedNanos = time.monotonicNanos();
            }
        }
    }

    private String existing(TopicIdentity identity) {
        return identity.current()
                .orElseThrow(
                        () -> new UnknownTopicOrPartitionException("the topic " + config.topic() + " does not exist"));
    }

    /** The term ends with a topic that was created anew: the next one finds out what that lacks. */
    private void requireSame(TopicIdentity identity, String topicId) {
        if (!existing(identity).equals(topicId)) {
            throw new KafkaException("the topic " + config.topic() + " was created anew");
        }
    }

    /**
     * Holds the topic against the database. That may take long, so changes are published meanwhile. True if nothing is left to be mended; then
     * limiters are told that the topic is whole, unless they were before.
     */
    private boolean reconcile(Publication publication, TopicIdentity identity, String topicId, Term term) {
        Meanwhile meanwhile = new Meanwhile();
        Runnable onward = () -> {
            term.renew();
            List<Pending> published = publication.publish();
            metrics.published(published.size());
            meanwhile.add(published);
        };
        TopicContent content = TopicContent.read(log, onward);
        Reconciliation.Result result =
                new Reconciliation(database, repairs, log).run(content, onward, meanwhile::holds);
        metrics.repaired(result.repaired());
        if (result.repaired() > 0) {
            LOG.warnf("the topic differed from the database and is mended: entries=%d", result.repaired());
        }
        boolean complete = result.complete() && !meanwhile.isFull();
        if (complete) {
            requireSame(identity, topicId);
            publication.completed(topicId);
        }
        return complete;
    }

    private void await(Duration pause) throws InterruptedException {
        if (changes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            changes.drainPermits();
        }
    }

    private final class Publishing implements KafkaLoop.Work {
        @Override
        public void step(KafkaLoop publishing) throws InterruptedException {
            try {
                if (schema.isReady() && lock.hold()) {
                    lead();
                } else {
                    await(config.pause());
                }
            } catch (DatabaseAway | TermEnded away) {
                metrics.failed();
                publishing.retry(String.valueOf(away.getMessage()));
            } catch (RuntimeException failed) {
                metrics.failed();
                throw failed;
            }
        }

        @Override
        public void wakeup() {
            changes.release();
        }
    }
}
