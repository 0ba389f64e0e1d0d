package io.meridian.config.history;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseConfig;
import io.meridian.config.database.DyingDatabase;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.HistoryStore.HistoryRows;
import io.meridian.config.ops.HistoryMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import io.meridian.testkit.TestSeeds;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Usage, violations and operations on their way from a real Kafka into a real PostgreSQL. */
@ServiceTest
@Timeout(1_200)
class IntakeTest {
    private static final long SEED = TestSeeds.first();
    private static final int VIOLATIONS = 300;
    private static final int OPERATIONS = 40;

    @Inject
    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    @Inject
    Database database;

    @Inject
    Schema schema;

    @Inject
    DailyPartitions partitions;

    @Inject
    HistoryStore store;

    @Inject
    Pool pool;

    @Inject
    DatabaseConfig databaseConfig;

    @Inject
    TimeSource time;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final HistoryMetrics metrics = new HistoryMetrics(registry);
    private long nowMicros;

    @BeforeEach
    void await_the_schema() throws Exception {
        eventually("the schema is there").until(schema::isReady);
        eventually("there are partitions").until(partitions::maintain);
        nowMicros = time.wallMicros();
    }

    @Test
    void duplicates_replays_and_another_order_change_nothing() throws Exception {
        List<UsageRecord> usage = usage("in-order");
        Map<String, List<Long>> expected = Curves.of(usage);
        List<UsageRecord> told = new ArrayList<>(usage);
        told.addAll(usage.subList(10, 40));
        Collections.shuffle(told, new Random(SEED));
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "in-order", 50);
        topics.tell(told, violations("in-order"));
        takeAll(topics, store, told.size() + VIOLATIONS);
        assertThat(Curves.stored(database, "in-order")).isEqualTo(expected);
        assertThat(denied("in-order")).isEqualTo(denials());

        database.read(
                session -> session.run("UPDATE intake_position SET next_offset = 0 WHERE topic LIKE $1", "in-order-%"));
        takeAll(topics, store, told.size() + VIOLATIONS);

        assertThat(Curves.stored(database, "in-order")).isEqualTo(expected);
        assertThat(denied("in-order")).isEqualTo(denials());
    }

    @Test
    void an_intake_that_dies_at_any_point_loses_and_doubles_nothing() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        List<UsageRecord> usage = usage("dying");
        int deaths = 0;
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "dying", 15);
        topics.tell(usage, violations("dying"));
        DyingDatabase dying = new DyingDatabase(pool, databaseConfig, random);
        HistoryStore mortal = new HistoryStore(dying, partitions, topics, metrics);
        while (position(topics) < usage.size() + VIOLATIONS) {
            try (Consumer<byte[], byte[]> consumer = topics.consumer()) {
                Intake intake = new Intake(consumer, topics, mortal, metrics, time);
                while (position(topics) < usage.size() + VIOLATIONS) {
                    step(intake);
                }
            } catch (DyingDatabase.Died died) {
                deaths++;
            }
        }

        assertThat(deaths).as("deaths with -Dmeridian.seed=" + SEED).isGreaterThan(2);
        assertThat(Curves.stored(database, "dying"))
                .as("-Dmeridian.seed=" + SEED)
                .isEqualTo(Curves.of(usage));
        assertThat(denied("dying")).as("-Dmeridian.seed=" + SEED).isEqualTo(denials());
    }

    @Test
    void an_operation_is_one_row_of_the_audit_trail_however_often_kafka_tells_of_it() throws Exception {
        List<OperationRecord> operations = operations("audited");
        List<OperationRecord> told = new ArrayList<>(operations);
        told.addAll(operations.subList(5, 20));
        Collections.shuffle(told, new Random(SEED));
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "audited", 7);
        topics.tell(told);
        takeAll(topics, store, told.size());
        assertThat(audited("audited")).isEqualTo(operations.size());

        database.read(
                session -> session.run("UPDATE intake_position SET next_offset = 0 WHERE topic LIKE $1", "audited-%"));
        takeAll(topics, store, told.size());

        assertThat(audited("audited")).isEqualTo(operations.size());
    }

    @Test
    void an_intake_that_dies_at_any_point_audits_every_operation_once() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        List<OperationRecord> operations = operations("mortal");
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "mortal", 3);
        topics.tell(operations);
        int deaths = 0;
        HistoryStore mortal =
                new HistoryStore(new DyingDatabase(pool, databaseConfig, random), partitions, topics, metrics);
        while (position(topics) < operations.size()) {
            try (Consumer<byte[], byte[]> consumer = topics.consumer()) {
                Intake intake = new Intake(consumer, topics, mortal, metrics, time);
                while (position(topics) < operations.size()) {
                    step(intake);
                }
            } catch (DyingDatabase.Died died) {
                deaths++;
            }
        }

        assertThat(audited("mortal"))
                .as("after " + deaths + " deaths with -Dmeridian.seed=" + SEED)
                .isEqualTo(operations.size());
    }

    @Test
    void an_intake_that_dies_at_any_point_misses_nothing_of_the_ledger() throws Exception {
        List<UsageRecord> usage = escrow("ledger");

        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "ledger", 7);
        topics.tell(usage, List.of());
        DyingDatabase dying = new DyingDatabase(pool, databaseConfig, new SplittableRandom(SEED));

        int deaths = takeDying(topics, new HistoryStore(dying, partitions, topics, metrics), usage.size());

        assertThat(deaths).as("deaths with -Dmeridian.seed=" + SEED).isGreaterThan(2);
        assertThat(inLedger("ledger")).as("-Dmeridian.seed=" + SEED).isEqualTo(taken(usage));
    }

    /** The control of the transaction: with positions that are committed apart from the rows, what a death interrupts is missing. */
    @Test
    void positions_that_are_committed_before_the_rows_lose_some_of_the_ledger() throws Exception {
        List<UsageRecord> usage = escrow("torn");
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "torn", 7);
        topics.tell(usage, List.of());
        HistoryStore torn = new TornStore(new DyingDatabase(pool, databaseConfig, new SplittableRandom(7)), topics);

        int deaths = takeDying(topics, torn, usage.size());

        assertThat(deaths).isGreaterThan(2);
        assertThat(inLedger("torn")).isLessThan(taken(usage));
    }

    /** Moves the positions in one transaction and writes the rows in another. */
    private final class TornStore extends HistoryStore {
        TornStore(Database database, HistoryConfig config) {
            super(database, partitions, config, metrics);
        }

        @Override
        boolean write(HistoryBatch batch, Map<TopicPartition, Long> from, Map<TopicPartition, Long> to) {
            return super.write(new HistoryBatch(), from, to) && super.write(batch, Map.of(), Map.of());
        }
    }

    private int takeDying(TopicsUnderTest topics, HistoryStore mortal, int records) {
        int deaths = 0;
        while (position(topics) < records) {
            try (Consumer<byte[], byte[]> consumer = topics.consumer()) {
                Intake intake = new Intake(consumer, topics, mortal, metrics, time);
                while (position(topics) < records) {
                    step(intake);
                }
            } catch (DyingDatabase.Died died) {
                deaths++;
            }
        }
        return deaths;
    }

    /** Each record is of a key of its own, so that no later one makes up for it. */
    private List<UsageRecord> escrow(String policy) {
        long start = Timestamps.minute(nowMicros) - 5 * Timestamps.MINUTE_MICROS;
        List<UsageRecord> records = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            records.add(TestRecords.escrow(policy, "user_id=" + i, "us-east", i + 1, start));
        }
        return records;
    }

    private static long taken(List<UsageRecord> usage) {
        return usage.stream().mapToLong(record -> record.count().taken()).sum();
    }

    private long inLedger(String policy) {
        return number("SELECT coalesce(sum(taken), 0)::bigint FROM promise_account WHERE policy = $1", policy);
    }

    @Test
    void two_intakes_at_once_count_every_denial_once() throws Exception {
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "both", 10);
        topics.tell(List.of(), violations("both"));
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> takeAll(topics, store, VIOLATIONS));
        takeAll(topics, store, VIOLATIONS);
        other.join();

        assertThat(denied("both")).isEqualTo(denials());
    }

    @Test
    void who_reads_from_another_position_writes_nothing() throws Exception {
        TopicPartition partition = new TopicPartition("elsewhere-violations", 0);
        assertThat(store.positions(List.of(partition))).isEqualTo(Map.of(partition, 0L));
        HistoryBatch batch = new HistoryBatch();
        batch.add(0, 0, TestRecords.violation("elsewhere", "user_id=1", "us-east", 7, nowMicros));

        assertThat(store.write(batch, Map.of(partition, 3L), Map.of(partition, 4L)))
                .isFalse();
        assertThat(denied("elsewhere")).isZero();
        assertThat(store.write(batch, Map.of(partition, 0L), Map.of(partition, 1L)))
                .isTrue();
        assertThat(denied("elsewhere")).isEqualTo(7);
    }

    /** The control of what guards: a record that says it stood elsewhere is another record, and is counted again. */
    @Test
    void the_same_place_in_kafka_is_what_makes_a_denial_the_same() throws Exception {
        HistoryBatch again = new HistoryBatch();
        for (int offset : new int[] {5, 5, 6}) {
            again.add(0, offset, TestRecords.violation("same", "user_id=1", "us-east", 7, nowMicros));
        }

        database.transaction(session -> {
            HistoryRows.writeViolations(session, again.violations());
            return null;
        });

        assertThat(denied("same")).isEqualTo(14);
    }

    @Test
    void what_cannot_be_kept_is_counted_and_keeps_nothing_else_away() throws Exception {
        long dayMicros = 24 * 60 * Timestamps.MINUTE_MICROS;
        UsageRecord good = TestRecords.usage("skips", "user_id=1", "us-east", 5, 0, nowMicros);
        List<UsageRecord> usage = List.of(
                TestRecords.usage("skips", "user_id=" + "x".repeat(2_000), "us-east", 5, 0, nowMicros),
                TestRecords.usage("skips", "user_id=\0", "us-east", 5, 0, nowMicros),
                TestRecords.usage("skips", "user_id=1", "us-east", 5, 0, nowMicros - 40 * dayMicros),
                TestRecords.usage("skips", "user_id=1", "us-east", 5, 0, nowMicros + 40 * dayMicros),
                TestRecords.usage("skips", "user_id=1", "us-east", 5, 0, Long.MAX_VALUE),
                good);
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "skips", 100);
        topics.tellBytes(topics.usageTopic(), new byte[] {1, 2, 3}, new byte[] {4});
        topics.tellBytes(topics.violationsTopic(), good.key(), good.value());
        topics.tellBytes(topics.operationsTopic(), new byte[] {1}, new byte[] {'{', '}'});
        topics.tell(List.of(TestRecords.refund("skipped-1", "skips", "us-east", "user_id=1", 1, Long.MAX_VALUE)));
        topics.tell(usage, List.of());
        takeAll(topics, new HistoryStore(database, partitions, topics, metrics), usage.size() + 4);

        assertThat(Curves.stored(database, "skips")).isEqualTo(Curves.of(List.of(good)));
        assertThat(audited("skips")).isZero();
        assertThat(skipped("unreadable")).isEqualTo(4);
        assertThat(skipped("too_long")).isEqualTo(1);
        assertThat(skipped("out_of_time")).isEqualTo(4);
    }

    @Test
    void a_topic_that_was_made_anew_is_read_from_its_beginning() throws Exception {
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "anew", 100);
        List<TopicPartition> first = List.of(new TopicPartition(topics.violationsTopic(), 0));
        store.positions(first);
        database.read(session -> session.run(
                "UPDATE intake_position SET next_offset = 1000000 WHERE topic = $1", topics.violationsTopic()));
        topics.tell(List.of(), violations("anew"));
        try (Consumer<byte[], byte[]> consumer = topics.consumer()) {
            Intake intake = new Intake(consumer, topics, store, metrics, time);
            eventually("all denials are in").until(() -> {
                step(intake);
                return denied("anew") == denials();
            });
        }
    }

    @Test
    void without_a_topic_there_is_nothing_to_do() throws Exception {
        TopicsUnderTest none = new TopicsUnderTest(bootstrap, "no-usage", "no-violations", "no-operations", 10);
        try (Consumer<byte[], byte[]> consumer = none.consumer()) {
            Intake intake = new Intake(consumer, none, store, metrics, time);
            eventually("Kafka says that there is none").until(() -> step(intake)
                    .filter(step -> step == Intake.Step.NO_TOPIC)
                    .isPresent());
        }
    }

    /** Nothing where Kafka did not answer within two seconds, as may be on a busy machine: the next step asks again. */
    private static Optional<Intake.Step> step(Intake intake) {
        try {
            return Optional.of(intake.step());
        } catch (TimeoutException late) {
            return Optional.empty();
        }
    }

    private void takeAll(TopicsUnderTest topics, HistoryStore into, int records) {
        try (Consumer<byte[], byte[]> consumer = topics.consumer()) {
            Intake intake = new Intake(consumer, topics, into, metrics, time);
            eventually("everything is in").until(() -> {
                step(intake);
                return position(topics) == records;
            });
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    /** How many records were done with: topics of tests begin at offset 0. */
    private long position(TopicsUnderTest topics) {
        return number(
                "SELECT coalesce(sum(next_offset), 0)::bigint FROM intake_position WHERE topic IN ($1, $2, $3)",
                topics.usageTopic(),
                topics.violationsTopic(),
                topics.operationsTopic());
    }

    private long denied(String policy) {
        return number("SELECT coalesce(sum(count), 0)::bigint FROM violation WHERE policy = $1", policy);
    }

    private long audited(String caller) {
        return number("SELECT count(*) FROM audit WHERE actor = $1", caller);
    }

    private List<OperationRecord> operations(String caller) {
        List<OperationRecord> operations = new ArrayList<>();
        for (int i = 0; i < OPERATIONS; i++) {
            // The first key is longer than an index takes.
            String key = "user_id=" + (i == 0 ? "\u20ac".repeat(1_000) : i % 7);
            operations.add(TestRecords.refund(caller + "-" + i, caller, "us-east", key, i, nowMicros - i));
        }
        return operations;
    }

    private long number(String sql, Object... arguments) {
        return database.read(
                session -> session.run(sql, arguments).iterator().next().getLong(0));
    }

    private double skipped(String reason) {
        return registry.get("meridian.config.history.skipped")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private List<ViolationRecord> violations(String policy) {
        List<ViolationRecord> records = new ArrayList<>();
        for (int i = 0; i < VIOLATIONS; i++) {
            records.add(TestRecords.violation(policy, "user_id=" + i % 7, "us-east", i + 1, nowMicros - i));
        }
        return records;
    }

    private static long denials() {
        return VIOLATIONS * (VIOLATIONS + 1L) / 2;
    }

    /** Counts of five keys in two regions and two lives, growing over ten minutes. */
    private List<UsageRecord> usage(String policy) {
        List<UsageRecord> records = new ArrayList<>();
        for (int second = 0; second < 600; second += 40) {
            for (int key = 0; key < 5; key++) {
                for (RegionIncarnation life :
                        List.of(new RegionIncarnation("us-east", 1), new RegionIncarnation("us-west", 1 + key % 2))) {
                    long taken = (second + 1L) * (key + 1);
                    long sentMicros = nowMicros - 10 * Timestamps.MINUTE_MICROS + second * 1_000_000L;
                    records.add(TestRecords.usage(policy, "user_id=" + key, life, taken, taken / 10, sentMicros));
                }
            }
        }
        return records;
    }
}
