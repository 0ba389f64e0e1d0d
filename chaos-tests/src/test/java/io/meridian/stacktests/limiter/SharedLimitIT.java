package io.meridian.stacktests.limiter;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.Algorithm;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 64 clients on one key through three instances on one Redis. */
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedLimitIT {
    private static final int CLIENTS = 64;
    private static final int LIMIT = TestAmounts.of(500, 2_000);
    private static final int ROUND = LIMIT * 3 / 2;
    private static final int ANSWERS = TestAmounts.of(300, 2_000);
    private static final int ROUNDS_MAX = 20;

    private final RedisUnderTest redis = RedisUnderTest.start();
    private LimiterInstances instances;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        // A window so long that neither its end nor what drains in it plays a part.
        StringBuilder policies = new StringBuilder("policies:\n");
        for (Algorithm algorithm : Algorithm.values()) {
            policies.append("  - {id: %1$s, key: [user_id], applies_to: {endpoints: [/%1$s]}, algorithm: %1$s,"
                            .formatted(algorithm.text()))
                    .append(" limit: %d, window: 31d}%n".formatted(LIMIT));
        }
        policies.append("  - {id: closed, key: [user_id], applies_to: {endpoints: [/closed]}, algorithm: token_bucket,"
                + " limit: 1000000, window: 1h, on_failure: closed}\n");
        Path file = Files.writeString(folder.resolve("policies.yaml"), policies);
        instances = LimiterInstances.start(
                3,
                LimiterSettings.ofRegion("us-east")
                        .withRedis(redis.url())
                        // What is shown is exactness: no check may be decided without Redis, however busy the machine
                        // is.
                        .with("meridian.limiter.redis.budget", "60s")
                        .with("meridian.limiter.policies.file", file.toString()));
    }

    @AfterAll
    void stop() {
        instances.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void together_they_admit_the_limit_and_not_one_more(Algorithm algorithm) throws Exception {
        long admitted = 0;
        long admittedLast = 1;
        // What an instance leased and nobody asked it for goes back within a lease's life; then others may have it.
        for (int round = 0; round < ROUNDS_MAX && (admitted < LIMIT || admittedLast > 0); round++) {
            // With an id, because a request that the client has to repeat must be charged once.
            String id = algorithm.text() + "-" + round + "-";
            LoadResult report = LoadGenerator.run(
                    CLIENTS,
                    ROUND,
                    Workload.of(
                            algorithm.text(),
                            turn -> Checks.encoded(instances, turn, "ann", "/" + algorithm.text(), id + turn)));
            assertThat(report.failures()).isEmpty();
            assertThat(report.count(200) + report.count(429)).isEqualTo(ROUND);
            admittedLast = report.count(200);
            admitted += admittedLast;
        }
        System.out.printf("%s: admitted %d of %d%n", algorithm.text(), admitted, LIMIT);

        assertThat(admitted).isLessThanOrEqualTo(LIMIT);
        if (algorithm.leasesAhead()) {
            assertThat(admitted).isGreaterThanOrEqualTo(LIMIT * 99 / 100);
        } else {
            assertThat(admitted).isEqualTo(LIMIT);
        }
    }

    /** A policy that refuses whatever Redis did not decide: it is asked all the time and refuses nothing. */
    @Test
    void flushed_scripts_and_flushed_data_are_not_even_noticed() throws Exception {
        LoadGenerator.Running load = LoadGenerator.start(
                4, Workload.of("closed", turn -> Checks.encoded(instances, turn, "user-" + turn % 1_000, "/closed")));
        for (int i = 1; i <= 5; i++) {
            long before = load.done();
            redis.flushScripts();
            redis.wipe();
            eventually("more answers").until(() -> load.done() > before + ANSWERS);
        }

        LoadResult report = load.stop();

        assertThat(report.failures()).isEmpty();
        assertThat(report.statuses().keySet()).containsExactly(200);
    }
}
