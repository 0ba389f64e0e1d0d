package io.meridian.limiter.instances;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.process.StartFailure;
import io.meridian.testkit.services.LimiterInstance;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That the instances of multi-instance tests are what those tests take them for. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimiterInstancesIT {
    private static final String LIVE = "/q/health/live";
    private static final String READY = "/q/health/ready";
    private static final String STATUS = "/api/v1/rate-limit/status";
    private static final Pattern STATUS_CALLS =
            Pattern.compile("http_server_requests_seconds_count\\{.*status=\"200\",uri=\"" + STATUS + "\"\\} (\\d+)");
    private static final Pattern UPTIME_SECONDS = Pattern.compile("(?m)^process_uptime_seconds(?:\\{.*\\})? (\\d+)");
    private static final int CALLS_TO_ITSELF = 20;
    /** From then on a limiter is ready in any case. */
    private static final int READY_AFTER_SECONDS = 15;

    private static final int REQUESTS = 20;

    private final HttpClient client = HttpClient.newHttpClient();
    private final LimiterInstances limiters = LimiterInstances.start(List.of(
            LimiterSettings.ofRegion("us-east")
                    .with("quarkus.shutdown.delay", "0S")
                    .withJvmOption("-Xmx128m"),
            LimiterSettings.ofRegion("us-west")
                    .with("quarkus.shutdown.delay", "0S")
                    // It calls itself nevertheless.
                    .with("meridian.limiter.tokens.list", "nobody-has-it check sha256:" + "0".repeat(64))
                    .with("quarkus.log.level", "WARN")));

    @AfterAll
    void stop() {
        limiters.close();
    }

    @Test
    void each_has_its_own_settings_and_can_be_killed_frozen_and_started_again() throws Exception {
        LimiterInstance east = limiters.get(0);
        LimiterInstance west = limiters.get(1);
        assertThat(text(east, READY)).contains("us-east");
        assertThat(text(west, READY)).contains("us-west");

        west.kill();
        assertThat(west.isAlive()).isFalse();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(status(east)).isEqualTo(200);
            assertThatThrownBy(() -> status(west)).isInstanceOf(IOException.class);
        }

        west.restart();
        east.freeze();
        CompletableFuture<HttpResponse<String>> waits =
                client.sendAsync(request(east, LIVE), HttpResponse.BodyHandlers.ofString());
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(status(west)).isEqualTo(200);
        }
        assertThat(waits).isNotDone();
        east.thaw();
        assertThat(waits.get(5, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
    }

    @Test
    void one_is_ready_only_after_it_has_called_itself_and_has_counted_no_check_by_that() throws Exception {
        LimiterInstance west = limiters.get(1);
        west.restart();

        String metrics = text(west, "/q/metrics");

        if (number(UPTIME_SECONDS, metrics) < READY_AFTER_SECONDS) {
            assertThat(number(STATUS_CALLS, metrics)).isEqualTo(CALLS_TO_ITSELF);
        }
        eventually("it has called itself")
                .until(() -> number(STATUS_CALLS, text(west, "/q/metrics")) == CALLS_TO_ITSELF);
        assertThat(code(west, STATUS)).isEqualTo(401);
        assertThat(text(west, "/q/metrics"))
                .contains("meridian_limiter_checks_total{outcome=\"allowed\"} 0.0")
                .contains("meridian_limiter_checks_total{outcome=\"denied\"} 0.0");
    }

    @ParameterizedTest
    @CsvSource({
        "'', meridian.keys.secret or meridian.keys.secret-file must be set",
        "12ab, meridian.keys.secret must be 32 hex digits"
    })
    void one_without_a_proper_secret_ends_with_an_error_that_names_the_setting(String secret, String said) {
        LimiterSettings settings = LimiterSettings.ofRegion("us-east").with("meridian.keys.secret", secret);

        assertThatThrownBy(() -> LimiterInstances.start(1, settings))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(said);
    }

    /** Zero if it is not there yet. */
    private static int number(Pattern pattern, String metrics) {
        Matcher found = pattern.matcher(metrics);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    private int status(LimiterInstance limiter) throws Exception {
        return code(limiter, LIVE);
    }

    private int code(LimiterInstance limiter, String path) throws Exception {
        return client.send(request(limiter, path), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private String text(LimiterInstance limiter, String path) throws Exception {
        return client.send(request(limiter, path), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static HttpRequest request(LimiterInstance limiter, String path) {
        return HttpRequest.newBuilder(limiter.uri(path)).build();
    }
}
