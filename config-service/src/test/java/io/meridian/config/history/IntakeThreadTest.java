package io.meridian.config.history;

import static io.meridian.testkit.Await.eventually;

import io.meridian.config.ServiceTest;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseConfig;
import io.meridian.config.database.Schema;
import io.meridian.config.database.UnavailableDatabase;
import io.meridian.config.ops.HistoryMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.testkit.TestAmounts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** An intake that goes on by itself, whatever is away for a while. */
@ServiceTest
class IntakeThreadTest {
    private static final int TIMES_AWAY = TestAmounts.of(2, 3);

    @Inject
    @ConfigProperty(name = "kafka.bootstrap.servers")
    String bootstrap;

    @Inject
    Database database;

    @Inject
    Schema schema;

    @Inject
    DailyPartitions upkeep;

    @Inject
    Pool pool;

    @Inject
    DatabaseConfig databaseConfig;

    @Inject
    TimeSource time;

    @Test
    void what_is_away_is_waited_for_and_nothing_is_missed() throws Exception {
        eventually("the schema is there").until(schema::isReady);
        TopicsUnderTest topics = TopicsUnderTest.make(bootstrap, "away", 100);
        topics.tell(List.of(), List.of(TestRecords.violation("away", "user_id=1", "us-east", 3, time.wallMicros())));
        HistoryMetrics metrics = new HistoryMetrics(new SimpleMeterRegistry());
        HistoryStore store =
                new HistoryStore(new UnavailableDatabase(pool, databaseConfig, TIMES_AWAY), upkeep, topics, metrics);
        AtomicInteger asked = new AtomicInteger();

        try (IntakeThread intake = new IntakeThread(
                () -> {
                    if (asked.incrementAndGet() <= TIMES_AWAY) {
                        throw new KafkaException("away for a test");
                    }
                    return topics.consumer();
                },
                consumer -> new Intake(consumer, topics, store, metrics, time))) {
            intake.start();
            eventually("the denials are in").until(() -> denied() == 3);
            topics.tell(
                    List.of(), List.of(TestRecords.violation("away", "user_id=1", "us-east", 4, time.wallMicros())));
            eventually("those after them too").until(() -> denied() == 7);
        }
    }

    private long denied() {
        return database.read(session -> session.run(
                        "SELECT coalesce(sum(count), 0)::bigint FROM violation WHERE policy = $1", "away")
                .iterator()
                .next()
                .getLong(0));
    }
}
