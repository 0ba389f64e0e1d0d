package io.meridian.config.outbox;

import static io.meridian.testkit.Await.eventually;

import io.meridian.config.database.Database;
import io.meridian.config.outbox.Outbox.Pending;
import io.meridian.config.outbox.TopicReconciliation.TopicContent;
import io.meridian.service.kafka.TopicIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** An empty database, a topic and a transactional id of a test's own. */
record OutboxStand(Database database, Config config) {
    static final Map<String, Object> KAFKA = Map.of();

    /** Transactions last as long, and a busy machine must not end one. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final AtomicInteger STANDS = new AtomicInteger();

    /** Deletes the topic, and creates another one of its name. */
    void createAnew() {
        try (Admin admin = Admin.create(
                Map.of("bootstrap.servers", config.bootstrapServers().orElseThrow()))) {
            admin.deleteTopics(List.of(config.topic())).all().get();
            eventually("it can be created").until(() -> {
                try {
                    admin.createTopics(List.of(new NewTopic(config.topic(), 1, (short) 1)))
                            .all()
                            .get();
                    return true;
                } catch (ExecutionException stillThere) {
                    return false;
                }
            });
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    String identity() {
        try (TopicIdentity identity = log().identity()) {
            // The broker knows of a topic that was just created a moment later.
            eventually("the topic is known").until(() -> identity.current().isPresent());
            return identity.current().orElseThrow();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    static OutboxStand fresh(Database database, String bootstrapServers) {
        String name = "policies-" + STANDS.incrementAndGet();
        Config config = new Config(Optional.of(bootstrapServers), name, name, 3, PATIENCE);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(config.topic(), 1, (short) 1)))
                    .all()
                    .get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        database.read(session ->
                session.run("TRUNCATE outbox, override, policy, policy_version, deny_list RESTART IDENTITY"));
        database.read(session -> session.run("UPDATE rulebook SET revision = 0"));
        return new OutboxStand(database, config);
    }

    Outbox outbox() {
        return new Outbox(database);
    }

    Producer<String, @Nullable String> producer() {
        return Publisher.producer(KAFKA, config);
    }

    /** One whose writing nothing fences. */
    Producer<String, @Nullable String> stranger() {
        return Publisher.producer(
                KAFKA,
                new Config(config.bootstrapServers(), config.topic(), "a-stranger", config.batch(), config.timeout()));
    }

    TopicContent content() {
        return TopicContent.read(log(), () -> {});
    }

    TopicLog log() {
        return new TopicLog(KAFKA, config);
    }

    /** A term that nothing ends before the outbox is empty. */
    void publishAll() {
        try (Producer<String, @Nullable String> producer = producer()) {
            producer.initTransactions();
            publishAfter(log().last().position(), producer);
        }
    }

    void publishAfter(long position, Producer<String, @Nullable String> producer) {
        BatchPublisher publication = new BatchPublisher(producer, outbox(), config.topic(), config.batch());
        publication.begin(position);
        while (!publication.publish().isEmpty()) {}
    }

    /** Commits a change of so many entries, as the rulebook does, and says what Kafka is to be told. */
    List<Pending> change(int entries) {
        return database.transaction(session -> {
            long revision = session.run("UPDATE rulebook SET revision = revision + 1 RETURNING revision")
                    .iterator()
                    .next()
                    .getLong("revision");
            List<Pending> made = new ArrayList<>();
            for (int entry = 0; entry < entries; entry++) {
                String key = "key-" + (revision + entry) % 7;
                String value = "value-" + revision;
                long position = session.run(
                                "INSERT INTO outbox (revision, key, value) VALUES ($1, $2, $3) RETURNING position",
                                revision,
                                key,
                                value)
                        .iterator()
                        .next()
                        .getLong("position");
                made.add(new Pending(position, revision, key, value));
            }
            return made;
        });
    }

    /** What the topic says to whoever reads what was committed, in its order. */
    List<Pending> published() {
        List<Pending> published = new ArrayList<>();
        each((record, revision) -> published.add(new Pending(
                RecordHeaders.number(record, RecordHeaders.POSITION), revision, record.key(), record.value())));
        published.removeIf(each -> each.key().equals(RecordHeaders.MARKER));
        return published;
    }

    private void each(BiConsumer<ConsumerRecord<String, String>, Long> each) {
        log().each(each, () -> {});
    }

    /** The revisions that were said to be whole, one after the other. */
    List<String> wholeRevisions() {
        List<String> whole = new ArrayList<>();
        each((record, revision) -> {
            if (record.key().equals(RecordHeaders.MARKER)) {
                whole.add(record.value());
            }
        });
        return whole;
    }

    /** The identity of the topic that was last said to be whole, empty if none was. */
    String wholeTopic() {
        return content().end().wholeTopic();
    }

    /** What a reader of the topic ends up with. */
    Map<String, String> effective() {
        Map<String, String> effective = new HashMap<>();
        each((record, revision) -> {
            if (record.value() == null) {
                effective.remove(record.key());
            } else {
                effective.put(record.key(), record.value());
            }
        });
        effective.remove(RecordHeaders.MARKER);
        return effective;
    }

    /** As the service's, but with small batches. */
    record Config(Optional<String> bootstrapServers, String topic, String transactionalId, int batch, Duration timeout)
            implements PublisherConfig {
        @Override
        public Duration pause() {
            return Duration.ofMillis(200);
        }

        @Override
        public Duration term() {
            return Duration.ofSeconds(3);
        }

        @Override
        public Duration identifyEvery() {
            return Duration.ofSeconds(2);
        }

        @Override
        public Duration reconcileEvery() {
            return Duration.ofMinutes(5);
        }
    }
}
