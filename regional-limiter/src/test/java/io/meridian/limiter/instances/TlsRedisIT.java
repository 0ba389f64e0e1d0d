package io.meridian.limiter.instances;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.meridian.stack.process.Executables;
import io.meridian.testkit.services.LimiterInstance;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A limiter whose Redis is behind TLS, as in a deployment. The bundled Redis knows no TLS. */
@Timeout(600)
class TlsRedisIT {
    private static final String POLICIES = """
            policies:
              - {id: any, key: [user_id], algorithm: fixed_window, limit: 100, window: 1h}
            """;

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void requireRedis() {
        assumeThat(Executables.onPath("redis-server"))
                .as("SKIPPED: there is no redis-server on the PATH, so TLS to Redis was not tried")
                .isPresent();
    }

    @Test
    void it_decides_by_a_redis_whose_certificate_is_that_servers() throws Exception {
        try (TlsRedis redis = TlsRedis.start(server(), "localhost");
                LimiterInstances limiters = LimiterInstances.start(1, settings(redis))) {
            eventually("it decides by Redis")
                    .until(() -> answer(limiters.get(0)).contains("\"decided_by\":\"region\""));
        }
    }

    @Test
    void it_does_not_talk_to_a_server_whose_certificate_is_trusted_and_anothers() throws Exception {
        try (TlsRedis redis = TlsRedis.start(server(), "elsewhere.example.com");
                LimiterInstances limiters = LimiterInstances.start(1, settings(redis))) {
            for (int check = 0; check < 50; check++) {
                assertThat(answer(limiters.get(0))).contains("\"decided_by\":\"fallback\"");
            }
        }
    }

    private static Path server() {
        return Executables.onPath("redis-server").orElseThrow();
    }

    private LimiterSettings settings(TlsRedis redis) throws Exception {
        Path policies = Files.writeString(folder.resolve("policies.yaml"), POLICIES);
        LimiterSettings settings = LimiterSettings.ofRegion("us-east")
                .with("quarkus.shutdown.delay", "0S")
                .with("meridian.limiter.policies.source", "file")
                .with("meridian.limiter.policies.file", policies.toString())
                .withRedis(redis.url());
        for (String option : redis.trust()) {
            settings = settings.withJvmOption(option);
        }
        return settings;
    }

    private String answer(LimiterInstance limiter) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(limiter.uri("/api/v1/rate-limit/check"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"attributes\": {\"user_id\": \"42\"}, \"endpoint\": \"/\", \"method\": \"GET\"}"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
