package io.meridian.stacktests.limiter;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.servers.Server.Durability;
import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.load.LoadGenerator;
import io.meridian.testkit.load.LoadResult;
import io.meridian.testkit.load.Workload;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A limiter under load whose Redis fails in every way: it answers all the time and recovers by itself. */
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOutageIT {
    private static final int CLIENTS = 4;
    private static final int ANSWERS = TestAmounts.of(300, 2_000);
    /** Long enough that a busy machine does not pass for a failed Redis, and far below the delay of the slow one. */
    private static final String BUDGET = "2s";

    private static final Duration SLOW = Duration.ofSeconds(20);

    private static final String POLICIES = """
            policies:
              - {id: local, key: [user_id], applies_to: {endpoints: [/local]}, algorithm: sliding_window_counter,
                 limit: 1000000, window: 1h}
              - {id: open, key: [user_id], applies_to: {endpoints: [/open]}, algorithm: fixed_window,
                 limit: 1000000, window: 1h, on_failure: open}
              - {id: closed, key: [user_id], applies_to: {endpoints: [/closed]}, algorithm: token_bucket,
                 limit: 1000000, window: 1h, on_failure: closed}
            """;

    private final RedisUnderTest redis = RedisUnderTest.start(Durability.KEPT);
    private LimiterInstances instances;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), POLICIES);
        instances = LimiterInstances.start(
                1,
                LimiterSettings.ofRegion("us-east")
                        .withRedis(redis.url())
                        .with("meridian.limiter.redis.budget", BUDGET)
                        // So that nothing but probing brings Redis back.
                        .with("meridian.limiter.redis.breaker.delay", "10m")
                        .with("meridian.limiter.policies.file", file.toString()));
    }

    @AfterAll
    void stop() {
        instances.close();
        redis.close();
    }

    /** What the world does to a Redis, and what makes it whole again. */
    private interface Deed {
        void to(RedisUnderTest redis);
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                outage("killed", RedisUnderTest::kill, RedisUnderTest::restart),
                outage("frozen", RedisUnderTest::freeze, RedisUnderTest::thaw),
                outage("killed and restarted empty", RedisUnderTest::kill, RedisUnderTest::restartEmpty),
                outage("a replica", RedisUnderTest::makeReadOnly, RedisUnderTest::makeWritable),
                outage("cut off", redis -> redis.link().cut(), redis -> redis.link()
                        .heal()),
                outage("silent", redis -> redis.link().silence(), redis -> redis.link()
                        .heal()),
                outage("slow", redis -> redis.link().slow(SLOW), redis -> redis.link()
                        .heal()));
    }

    private static Arguments outage(String name, Deed spoil, Deed mend) {
        return Arguments.of(name, spoil, mend);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outages")
    void every_check_is_answered_as_its_policy_says_and_redis_is_used_again_once_it_is_back(
            String name, Deed spoil, Deed mend) throws Exception {
        eventually("Redis decides").until(() -> !isDegraded());
        LoadGenerator.Running local = start("/local");
        LoadGenerator.Running open = start("/open");
        LoadGenerator.Running closed = start("/closed");
        eventually("answers").until(() -> local.done() > ANSWERS);

        spoil.to(redis);
        eventually("degraded answers").until(this::isDegraded);
        long before = local.done();
        eventually("answers without Redis").until(() -> local.done() > before + ANSWERS && closed.count(503) > ANSWERS);
        mend.to(redis);
        eventually("Redis decides again").until(() -> !isDegraded());

        LoadResult localReport = local.stop();
        LoadResult openReport = open.stop();
        LoadResult closedReport = closed.stop();
        System.out.printf("Redis %s: local %s; open %s; closed %s%n", name, localReport, openReport, closedReport);
        assertAnswered(localReport, 200);
        assertAnswered(openReport, 200);
        assertAnswered(closedReport, 200, 503);
    }

    @Test
    void what_was_admitted_without_redis_is_charged_when_it_is_back() throws Exception {
        eventually("Redis decides").until(() -> !isDegraded());
        assertThat(Checks.remaining(ask("bob", 1_000))).isEqualTo(999_000);
        redis.kill();
        eventually("degraded answers").until(this::isDegraded);
        long admitted = 0;
        for (int i = 0; i < 50; i++) {
            String answer = ask("bob", 10);
            assertThat(answer).contains("\"allowed\":true", "\"degraded\":true");
            admitted += 10;
        }

        redis.restart();
        eventually("Redis decides again").until(() -> !isDegraded());

        long expected = 999_000 - admitted;
        eventually("all is charged").until(() -> Checks.remaining(ask("bob", 0)) == expected);
    }

    private LoadGenerator.Running start(String endpoint) throws IOException {
        return LoadGenerator.start(
                CLIENTS,
                Workload.of(endpoint, turn -> Checks.encoded(instances, turn, "user-" + turn % 1_000, endpoint)));
    }

    private static void assertAnswered(LoadResult report, Integer... statuses) {
        assertThat(report.failures()).isEqualTo(Map.of());
        assertThat(report.statuses().keySet()).isSubsetOf(statuses);
    }

    private boolean isDegraded() throws Exception {
        return Checks.answer(instances.get(0), "probe", "/local", 1).contains("\"degraded\":true");
    }

    private String ask(String user, int cost) throws Exception {
        return Checks.answer(instances.get(0), user, "/local", cost);
    }
}
