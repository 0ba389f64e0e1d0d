package io.meridian.limiter.instances;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.fixture.LimiterInstance;
import io.meridian.stack.fixture.LimiterInstances;
import io.meridian.stack.fixture.LimiterSettings;
import io.meridian.stack.fixture.Load;
import io.meridian.stack.fixture.LoadReport;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the instances of multi-instance tests are what those tests take them for. */
@Timeout(300)
class LimiterInstancesIT {
    private static final String LIVE = "/q/health/live";
    private static final String READY = "/q/health/ready";
    private static final String STATUS = "/api/v1/rate-limit/status";

    @Test
    void each_has_its_own_settings_and_can_be_killed_frozen_and_started_again() throws Exception {
        LimiterSettings east = LimiterSettings.ofRegion("us-east").withJvmOption("-Xmx128m");
        LimiterSettings west = LimiterSettings.ofRegion("us-west").with("quarkus.log.level", "WARN");
        try (LimiterInstances limiters = LimiterInstances.start(List.of(east, west))) {
            assertThat(body(limiters.get(0))).contains("us-east");
            assertThat(body(limiters.get(1))).contains("us-west");

            LoadReport healthy = Load.run(8, 400, turn -> get(limiters, turn));
            assertThat(healthy.statuses()).isEqualTo(Map.of(200, 400L));

            limiters.get(1).kill();
            assertThat(limiters.get(1).isAlive()).isFalse();
            LoadReport half = Load.run(4, 100, turn -> get(limiters, turn));
            assertThat(half.statuses()).isEqualTo(Map.of(200, 50L));
            assertThat(half.failures().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(50);

            limiters.get(1).restart();
            limiters.get(0).freeze();
            Load load = Load.start(2, turn -> get(limiters, turn));
            Eventually.holds("the other answers while one client waits for the frozen one", () -> load.done() >= 1);
            assertThat(load.done()).isLessThanOrEqualTo(2);
            limiters.get(0).thaw();
            Eventually.holds("both answer again", () -> load.count(200) >= 50);
            assertThat(load.stop().failures()).isEmpty();
        }
    }

    @Test
    void one_is_ready_only_after_it_has_called_itself_and_has_counted_no_check_by_that() throws Exception {
        try (LimiterInstances limiters = LimiterInstances.start(1, LimiterSettings.ofRegion("us-east"))) {
            String metrics = text(limiters.get(0), "/q/metrics");

            assertThat(metrics)
                    .containsPattern(
                            "http_server_requests_seconds_count\\{.*status=\"200\",uri=\"" + STATUS + "\"\\} 20")
                    .contains("meridian_limiter_checks_total{outcome=\"allowed\"} 0.0")
                    .contains("meridian_limiter_checks_total{outcome=\"denied\"} 0.0");
        }
    }

    private static HttpRequest.Builder get(LimiterInstances limiters, long turn) {
        return HttpRequest.newBuilder(limiters.uri(turn, LIVE));
    }

    private static String body(LimiterInstance limiter) throws Exception {
        return text(limiter, READY);
    }

    private static String text(LimiterInstance limiter, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(limiter.uri(path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
