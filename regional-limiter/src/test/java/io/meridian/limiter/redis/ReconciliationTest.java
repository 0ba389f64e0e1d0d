package io.meridian.limiter.redis;

import static io.meridian.testkit.Await.eventually;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.redis.RedisIncarnations.StoredIncarnation;
import io.meridian.model.time.TimeSource;
import io.meridian.stack.servers.RedisLine;
import io.meridian.testkit.servers.RedisUnderTest;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The job that looks after a region's keys, on a real Redis. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@Timeout(300)
class ReconciliationTest {
    private static final int KEYS = 150;
    private static final int LOOKS = 10;

    @SuppressWarnings("NullAway.Init") // by the resource
    RedisUnderTest redis;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    Reconciliation reconciliation;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RedisCounters counters;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    RedisClients clients;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    LimiterMetrics metrics;

    @Inject
    @SuppressWarnings("NullAway.Init") // by the container
    MeterRegistry registry;

    @Test
    void a_key_without_an_end_gets_one_and_the_life_has_none() throws Exception {
        given().contentType("application/json")
                .body("{\"attributes\": {\"user_id\": \"ann\"}, \"endpoint\": \"/\"}")
                .post("/api/v1/rate-limit/check")
                .then()
                .statusCode(200);
        assertThat(redis.ask("SET", "left-behind", "1")).isEqualTo("+OK");

        Reconciliation.Found first = reconciliation.scan();
        Reconciliation.Found second = reconciliation.scan();

        assertThat(first.keys()).isGreaterThanOrEqualTo(2);
        assertThat(first.endless()).isEqualTo(1);
        assertThat(second.endless()).isZero();
        assertThat(second.forgotten()).isZero();
        assertThat(redis.ask("PTTL", "left-behind")).isNotEqualTo(":-1");
        assertThat(redis.ask("PTTL", StoredIncarnation.KEY)).isEqualTo(":-1");
    }

    @Test
    void without_a_replica_nothing_is_compared() throws Exception {
        assertThat(drift(Optional.empty()).look()).isEmpty();
    }

    @Test
    void what_differs_between_a_redis_and_its_replica_is_counted() throws Exception {
        try (RedisUnderTest replica = replica()) {
            for (int i = 0; i < KEYS; i++) {
                write("drift-" + i, "1");
            }
            write("drift-set-aside", "1");
            ReplicaDrift drift = drift(Optional.of(replica.url()));

            ReplicaDrift.Found alike = drift.look().orElseThrow();
            assertThat(alike.compared()).isGreaterThan(KEYS);
            assertThat(alike.drifted()).isZero();

            replica.ask("CONFIG", "SET", "replica-read-only", "no");
            replica.ask("SET", "drift-0", "2", "EX", "600");
            replica.ask("DEL", "drift-1");
            replica.ask("SET", "only-at-the-replica", "1", "EX", "600");
            double before = counted("meridian.limiter.redis.replica.drifted");
            // A key may be met more than once, by the scans of both servers.
            assertThat(drift.look().orElseThrow().drifted()).isGreaterThanOrEqualTo(3);
            assertThat(counted("meridian.limiter.redis.replica.drifted")).isGreaterThanOrEqualTo(before + 3);

            replica.ask("DEL", "only-at-the-replica");
            write("drift-0", "3");
            write("drift-1", "3");
            assertThat(drift.look().orElseThrow().drifted()).isZero();
        }
    }

    @Test
    void a_replica_that_is_written_to_and_behind_is_no_drift() throws Exception {
        try (RedisUnderTest replica = replica()) {
            AtomicBoolean done = new AtomicBoolean();
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> writeUntil(done));
            ReplicaDrift drift = drift(Optional.of(replica.url()));
            for (int i = 0; i < LOOKS; i++) {
                assertThat(drift.look().orElseThrow().drifted()).isZero();
            }
            done.set(true);
            writer.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_replica_that_follows_nobody_or_does_not_answer_is_counted_as_not_compared() throws Exception {
        try (RedisUnderTest replica = replica()) {
            ReplicaDrift drift = drift(Optional.of(replica.url()));
            double before = counted("meridian.limiter.redis.replica.incomparable");
            write("drift-0", "1");
            replica.makeWritable();
            assertThatThrownBy(drift::look)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessage("it is no replica");
            replica.kill();
            assertThatThrownBy(drift::look).isInstanceOfAny(ExecutionException.class, TimeoutException.class);
            assertThat(counted("meridian.limiter.redis.replica.incomparable")).isEqualTo(before + 2);
        }
    }

    @Test
    void a_sample_that_compares_nothing_is_refused() {
        assertThatThrownBy(() ->
                        new ReplicaDrift(counters, clients, Optional.empty(), 0, metrics.redis(), TimeSource.system()))
                .hasMessage("meridian.limiter.redis.replica-sample must be from 200 to 1000000, got 0");
    }

    private RedisUnderTest replica() throws Exception {
        RedisUnderTest replica = RedisUnderTest.start();
        String port = redis.url().substring(redis.url().lastIndexOf(':') + 1);
        assertThat(replica.ask("REPLICAOF", "127.0.0.1", port)).isEqualTo("+OK");
        eventually("the replica follows")
                .until(() -> replica.ask("INFO", "replication").contains("master_link_status:up"));
        return replica;
    }

    private ReplicaDrift drift(Optional<String> host) {
        return new ReplicaDrift(counters, clients, host, 1_000, metrics.redis(), TimeSource.system());
    }

    private void write(String key, String value) {
        assertThat(redis.ask("SET", key, value, "EX", "600")).isEqualTo("+OK");
    }

    private void writeUntil(AtomicBoolean done) {
        try (RedisLine line = redis.line()) {
            for (int i = 0; !done.get(); i++) {
                line.ask("SET", "busy-" + i % 20, Integer.toString(i), "EX", "600");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double counted(String name) {
        return registry.get(name).functionCounter().count();
    }
}
