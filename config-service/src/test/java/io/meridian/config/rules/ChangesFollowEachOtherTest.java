package io.meridian.config.rules;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.config.database.Database;
import io.meridian.config.database.TestDatabase;
import io.meridian.testkit.servers.ServerResource.PostgresResource;
import io.vertx.mutiny.sqlclient.Row;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A change waits for the one before it, so that the outbox is in the order of commits and nothing appears below what was seen. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class ChangesFollowEachOtherTest {
    private static final String WAITING =
            "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE rulebook%'";
    private static final String TELL =
            "INSERT INTO outbox (revision, key, value) VALUES ($1, 'early', '') RETURNING position";

    private final PostgresResource postgres = new PostgresResource();
    private final TestDatabase server = TestDatabase.of(postgres.start());
    private final Database database = server.database();
    private final TestRules rulebook = new TestRules(database);

    @AfterAll
    void stop() {
        server.close();
        postgres.stop();
    }

    @Test
    void a_change_that_began_later_gets_a_later_place_however_long_the_first_takes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Long> slow = CompletableFuture.supplyAsync(() -> database.transaction(session -> {
            long revision = EntryTables.nextRevision(session);
            begun.countDown();
            await(go);
            return number(session.run(TELL, revision), "position");
        }));
        await(begun);
        CompletableFuture<Long> later = CompletableFuture.supplyAsync(() -> put("later"));

        eventually("the later one waits").until(() -> count(WAITING) == 1);
        assertThat(count("SELECT count(*) AS n FROM outbox")).isZero();
        go.countDown();

        long place = slow.get(5, TimeUnit.MINUTES);
        assertThat(later.get(5, TimeUnit.MINUTES)).isEqualTo(2);
        assertThat(count("SELECT min(position) AS n FROM outbox WHERE revision = 2"))
                .isGreaterThan(place);
    }

    private long put(String tier) {
        try {
            return rulebook.put(EntryKind.TIER, "{\"name\": \"" + tier + "\"}");
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private long count(String sql) {
        return number(database.read(session -> session.run(sql)), "n");
    }

    private static long number(Iterable<Row> rows, String column) {
        return rows.iterator().next().getLong(column);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
