package io.meridian.config.outbox;

import io.meridian.config.outbox.PublisherLease.LostException;
import io.meridian.config.outbox.Reconciliation.TopicContent;
import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.config.ops.PublisherMetrics;
import io.meridian.config.rules.RuleStore.Changed;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.model.time.TimeSource;
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
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Publishes on a thread of its own whenever it is this replica's turn, for ever: whatever fails ends the term, and it tries again. */
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
    private final PublisherLease lock;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "outbox");
    private volatile boolean stopping;
    private String told = "";

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
        this.lock = new PublisherLease(database, HexFormat.of().formatHex(name), config.term());
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isPresent()) {
            thread.setDaemon(true);
            thread.start();
        } else {
            LOG.warn("changes are told to nobody: kafka.bootstrap.servers is not set");
        }
    }

    void stop(@Observes ShutdownEvent stopped) throws InterruptedException {
        stopping = true;
        changes.release();
        thread.join(STOP_WITHIN.toMillis());
    }

    /** A change of ours need not wait for the next look. */
    void changed(@Observes Changed change) {
        changes.release();
    }

    private void run() {
        while (!stopping) {
            try {
                if (schema.isReady() && lock.hold()) {
                    lead();
                } else {
                    await(config.pause());
                }
            } catch (DatabaseUnavailableException | KafkaException | LostException away) {
                pause(away);
            } catch (RuntimeException unexpected) {
                LOG.error("publishing failed, and begins anew", unexpected);
                pause(unexpected);
            }
        }
    }

    private void lead() {
        Term term = new Term(lock, time);
        try (Producer<String, @Nullable String> producer = Producers.open(kafka, config);
                TopicIdentity identity = log.identity()) {
            try {
                producer.initTransactions();
                publish(new BatchPublisher(producer, outbox, config.topic(), config.batch()), identity, term);
            } finally {
                metrics.leading(false);
                producer.close(CLOSE_WITHIN);
            }
        } finally {
            lock.release();
        }
    }

    private void publish(BatchPublisher publication, TopicIdentity identity, Term term) {
        String topicId = existing(identity);
        TopicLog.End end = log.last();
        publication.begin(end.position());
        if (end.wholeTopic().equals(topicId)) {
            publication.isWhole(topicId);
        }
        repairs.lift(end.revision(), end.position());
        metrics.leading(true);
        told = "";
        boolean due = true;
        long reconciledNanos = 0;
        long identifiedNanos = time.monotonicNanos();
        while (!stopping && lock.hold()) {
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
    private boolean reconcile(BatchPublisher publication, TopicIdentity identity, String topicId, Term term) {
        PublishedSince meanwhile = new PublishedSince();
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

    private void pause(RuntimeException away) {
        metrics.failed();
        String reason = String.valueOf(away.getMessage());
        if (!reason.equals(told)) {
            told = reason;
            LOG.warnf("changes wait in the outbox: reason=%s", reason);
        }
        await(FAILURE_PAUSE);
    }

    private void await(Duration pause) {
        try {
            if (changes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                changes.drainPermits();
            }
        } catch (InterruptedException interrupted) {
            stopping = true;
        }
    }
}
