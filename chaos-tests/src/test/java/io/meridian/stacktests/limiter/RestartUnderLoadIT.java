package io.meridian.stacktests.limiter;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.testkit.TestAmounts;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two instances on one Redis, replaced one after the other in order while clients ask both. */
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RestartUnderLoadIT {
    private static final int CLIENTS = 8;
    private static final long LIMIT = 10_000_000;
    private static final int ANSWERS = TestAmounts.of(500, 2_000);
    private static final String USER = "alice";

    private final RedisUnderTest redis = RedisUnderTest.start();
    private LimiterInstances instances;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("policies.yaml"), """
                policies:
                  - {id: kept, key: [user_id], applies_to: {endpoints: [/kept]}, algorithm: fixed_window, limit: %d,
                     window: 31d}
                """.formatted(LIMIT));
        instances = LimiterInstances.start(
                2,
                LimiterSettings.ofRegion("us-east")
                        .withRedis(redis.url())
                        // A busy machine must not pass for a Redis that is away.
                        .with("meridian.limiter.redis.budget", "60s")
                        // Draining is the subject: as in production, but for the time that a busy machine may take.
                        .with("quarkus.shutdown.delay", "2500ms")
                        .with("quarkus.shutdown.timeout", "60S")
                        .with("meridian.limiter.policies.file", file.toString()));
    }

    @AfterAll
    void stop() {
        instances.close();
        redis.close();
    }

    @Test
    @Order(1)
    void no_check_fails_and_every_admitted_one_is_counted_once() throws Exception {
        TurningClients clients = new TurningClients(instances, USER);
        clients.start(CLIENTS);
        await(clients);
        for (int instance = 0; instance < 2; instance++) {
            clients.phase("stop of " + instances.get(instance).uri("/"));
            instances.get(instance).stop();
            clients.phase("start of " + instances.get(instance).uri("/"));
            instances.get(instance).restart();
            clients.phase("after the start of " + instances.get(instance).uri("/"));
            await(clients);
        }
        clients.stop();

        System.out.println("[restart] " + clients);
        assertThat(clients.failures()).isEqualTo(Map.of());
        // Each client has at most one connection to each instance that is stopped.
        assertThat(clients.ended()).isLessThanOrEqualTo(2 * CLIENTS);
        assertThat(clients.statuses()).containsOnlyKeys(200);
        eventually("the counter stands at what was admitted")
                .until(() -> Checks.remaining(Checks.answer(instances.get(1), USER, "/kept", 0))
                        == LIMIT - clients.answered());
    }

    @Test
    @Order(2)
    void an_instance_that_leaves_is_not_ready_and_still_answers() throws Exception {
        Thread leaving = new Thread(() -> instances.get(0).stop(), "leaving");
        leaving.start();
        eventually("it says that it is not ready").until(() -> Checks.readiness(instances.get(0)) == 503);

        assertThat(Checks.answer(instances.get(0), USER, "/kept", 1)).contains("\"allowed\":true");
        leaving.join();
        instances.get(0).restart();
    }

    private static void await(TurningClients clients) throws Exception {
        long before = clients.answered();
        eventually("more answers").until(() -> clients.answered() > before + ANSWERS);
    }
}
