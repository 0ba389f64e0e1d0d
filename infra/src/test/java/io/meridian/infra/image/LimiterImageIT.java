package io.meridian.infra.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.meridian.infra.image.UnpackedImage.Running;
import io.meridian.stack.process.Folders;
import io.meridian.stack.process.StartFailure;
import io.meridian.testkit.servers.RedisUnderTest;
import io.meridian.testkit.services.LimiterSettings;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The limiter's image, unpacked, and its process started from there. */
@Tag("full")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimiterImageIT {
    private static final String POLICIES = """
            policies:
              - {id: of-the-image, key: [user_id], algorithm: fixed_window, limit: 2, window: 31d}
            """;
    private static final String CHECK =
            "{\"attributes\": {\"user_id\": \"ann\"}, \"endpoint\": \"/users\", \"method\": \"GET\"}";

    private @Nullable Limiter started;

    /** One for all tests, and asked for by each: each is skipped where there is no image. */
    private Limiter limiter() throws IOException, InterruptedException {
        if (started == null) {
            started = Limiter.start();
        }
        return started;
    }

    @AfterAll
    void stop() throws IOException {
        if (started != null) {
            started.close();
        }
    }

    @Test
    void its_process_answers_checks_by_its_regions_redis() throws Exception {
        Limiter limiter = limiter();

        HttpResponse<String> first = limiter.check();
        HttpResponse<String> second = limiter.check();
        HttpResponse<String> third = limiter.check();

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).contains("\"policy\":\"of-the-image\"", "\"decided_by\":\"region\"");
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(limiter.redis().ask("DBSIZE")).isNotEqualTo(":0");
    }

    @Test
    void its_process_is_the_java_of_the_image_and_lacks_nothing_in_it() throws Exception {
        Limiter limiter = limiter();

        assertThat(limiter.process().program().toString()).endsWith("/opt/java/bin/java");
        limiter.process().tellsAboutItself();
        assertThat(Files.readString(limiter.image().log())).doesNotContain(Lacking.SIGNS);
    }

    @Test
    void its_process_runs_as_the_user_of_the_image() throws Exception {
        Limiter limiter = limiter();
        assumeOwnRoot(limiter.image());

        assertThat(limiter.process().user()).isEqualTo(10001);
    }

    /** What would be found if something of this machine stood in for what the image should have. */
    @Test
    void without_its_own_java_it_does_not_start() throws Exception {
        try (UnpackedImage broken = UnpackedImage.of("regional-limiter")) {
            Files.delete(broken.file("/opt/java/lib/modules"));

            assertThatThrownBy(() -> broken.start(Map.of())).isInstanceOf(StartFailure.class);
        }
    }

    @Test
    void without_its_own_c_library_it_does_not_start() throws Exception {
        try (UnpackedImage broken = UnpackedImage.of("regional-limiter")) {
            assumeOwnRoot(broken);
            Folders.delete(broken.file("/lib"));
            Folders.delete(broken.file("/lib64"));
            Folders.delete(broken.file("/usr"));

            assertThatThrownBy(() -> broken.start(Map.of())).isInstanceOf(StartFailure.class);
        }
    }

    private static void assumeOwnRoot(UnpackedImage image) {
        String reason = "only root can give a process a root and a user of its own";
        if (!image.hasOwnRoot()) {
            System.out.println("[images] SKIPPED: " + reason);
        }
        assumeTrue(image.hasOwnRoot(), reason);
    }

    private record Limiter(UnpackedImage image, RedisUnderTest redis, Running process) implements AutoCloseable {
        static Limiter start() throws IOException, InterruptedException {
            UnpackedImage image = UnpackedImage.of("regional-limiter");
            RedisUnderTest redis = RedisUnderTest.start();
            Map<String, String> told = Map.of(
                    "MERIDIAN_LIMITER_REGION",
                    "eu-west",
                    "MERIDIAN_KEYS_SECRET",
                    LimiterSettings.KEY_SECRET,
                    "MERIDIAN_LIMITER_REDIS_HOSTS",
                    redis.url(),
                    // No check may be decided without Redis, however busy the machine is.
                    "MERIDIAN_LIMITER_REDIS_BUDGET",
                    "20s",
                    "MERIDIAN_LIMITER_POLICIES_FILE",
                    image.mounted("/etc/meridian/policies.yaml", POLICIES));
            return new Limiter(image, redis, image.start(told));
        }

        HttpResponse<String> check() throws IOException, InterruptedException {
            return Http.post(process.url() + "/api/v1/rate-limit/check", CHECK);
        }

        @Override
        public void close() throws IOException {
            process.close();
            redis.close();
            image.close();
        }
    }
}
