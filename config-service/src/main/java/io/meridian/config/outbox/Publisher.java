package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.ops.PublisherMetrics;
import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.config.outbox.PublisherLease.LostException;
import io.meridian.config.outbox.TopicReconciliation.PublishedSince;
import io.meridian.config.outbox.TopicReconciliation.TopicContent;
import io.meridian.config.rules.RuleStore.Changed;
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

/** Publisher thread: publishes while this replica holds the lease. A failure ends the lease, and it starts again. */
@Singleton
class Publisher {
    private static final Logger LOG = Logger.getLogger(Publisher.class);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration FAILURE_PAUSE = Duration.ofMillis(500);

    private final Database database;
    private final Schema schema;
    private final Outbox outbox;
    private final OutboxRepairs repairs;
    private final PublisherConfig config;
    private final PublisherMetrics metrics;
    private final TimeSource time;
    private final Map<String, Object> kafka;
    private final TopicLog log;
    private final PublisherLease lease;
    private final Semaphore changes = new Semaphore(0);
    private final KafkaLoop loop = new KafkaLoop(
            "outbox",
            "publishing failed, changes wait in the outbox",
            new KafkaLoop.Pauses(FAILURE_PAUSE, FAILURE_PAUSE),
            STOP_WITHIN,
            Publishing::new);

    Publisher(
            Database database,
            Schema schema,
            Outbox outbox,
            OutboxRepairs repairs,
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
        this.lease = new PublisherLease(database, HexFormat.of().formatHex(name), config.term(), time);
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isPresent()) {
            loop.start();
        } else {
            LOG.warn("changes are not published: kafka.bootstrap.servers is not set");
        }
    }

    void stop(@Observes ShutdownEvent stopped) {
        loop.close();
    }

    /** A change made by this replica ends the pause. */
    void changed(@Observes Changed change) {
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
        try (Producer<String, @Nullable String> producer = producer(kafka, config);
                TopicIdentity identity = log.identity()) {
            try {
                producer.initTransactions();
                publish(new BatchPublisher(producer, outbox, config.topic(), config.batch()), identity);
            } finally {
                metrics.leading(false);
                producer.close(CLOSE_WITHIN);
            }
        } finally {
            lease.release();
        }
    }

    private void publish(BatchPublisher batches, TopicIdentity identity) throws InterruptedException {
        String topicId = existing(identity);
        TopicLog.End end = log.last();
        batches.begin(end.position());
        if (end.wholeTopic().equals(topicId)) {
            batches.knownWhole(topicId);
        }
        repairs.raiseCounters(end.revision(), end.position());
        metrics.leading(true);
        loop.succeeded();
        boolean due = true;
        long reconciledNanos = 0;
        long identifiedNanos = time.monotonicNanos();
        while (loop.isOpen() && lease.hold()) {
            int published = batches.publish().size();
            metrics.published(published);
            if (published < config.batch() && due) {
                reconciledNanos = time.monotonicNanos();
                due = !reconcile(batches, identity, topicId);
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

    /** A topic that was deleted and created again ends the lease; the next one finds what the new topic lacks. */
    private void requireSame(TopicIdentity identity, String topicId) {
        if (!existing(identity).equals(topicId)) {
            throw new KafkaException("the topic " + config.topic() + " was deleted and created again");
        }
    }

    /**
     * Compares the topic with the database. Changes are published meanwhile, because it may take long. True if nothing is left
     * to be repaired; then a marker tells limiters that the topic is complete, unless one did before.
     */
    private boolean reconcile(BatchPublisher batches, TopicIdentity identity, String topicId) {
        PublishedSince publishedSince = new PublishedSince();
        Runnable progress = () -> {
            lease.renew();
            List<Pending> published = batches.publish();
            metrics.published(published.size());
            publishedSince.add(published);
        };
        TopicContent content = TopicContent.read(log, progress);
        TopicReconciliation.Result result =
                new TopicReconciliation(database, repairs, log).run(content, progress, publishedSince::contains);
        metrics.repaired(result.repaired());
        if (result.repaired() > 0) {
            LOG.warnf("the topic differed from the database and is repaired: entries=%d", result.repaired());
        }
        boolean complete = result.complete() && !publishedSince.isFull();
        if (complete) {
            requireSame(identity, topicId);
            batches.completed(topicId);
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
                if (schema.isReady() && lease.hold()) {
                    lead();
                } else {
                    await(config.pause());
                }
            } catch (DatabaseUnavailableException | LostException unavailable) {
                metrics.failed();
                publishing.retry(String.valueOf(unavailable.getMessage()));
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
