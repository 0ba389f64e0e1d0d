package io.meridian.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.GrpcWire.Answer;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import io.vertx.core.Vertx;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class GrpcDrainIT {
    private static final String SERVING = "0000000002" + "0801";
    private static final String NOT_SERVING = "0000000002" + "0802";

    @Test
    void a_stopping_limiter_answers_every_call_on_http_2_and_its_health_says_that_it_leaves() throws Exception {
        LimiterSettings settings = LimiterSettings.ofRegion("us-east").with("quarkus.shutdown.delay", "2500ms");
        Vertx vertx = Vertx.vertx();
        try (LimiterInstances limiters = LimiterInstances.start(1, settings);
                GrpcWire wire = new GrpcWire(vertx, limiters.get(0).uri("/").getPort())) {
            assertThat(health(wire).hex()).isEqualTo(SERVING);
            CompletableFuture<Void> stopped =
                    CompletableFuture.runAsync(() -> limiters.get(0).stop());

            List<String> answers = new ArrayList<>();
            Throwable end = null;
            while (end == null) {
                try {
                    Answer answer = health(wire);
                    assertThat(answer.status()).isEqualTo("0");
                    answers.add(answer.hex());
                } catch (ExecutionException ended) {
                    end = ended.getCause();
                }
            }

            assertThat(end).as("the first call without an answer").isInstanceOf(ConnectException.class);
            assertThat(answers).contains(NOT_SERVING);
            assertThat(answers.lastIndexOf(SERVING)).isLessThan(answers.indexOf(NOT_SERVING));
            stopped.get(2, TimeUnit.MINUTES);
        } finally {
            vertx.close();
        }
    }

    private static Answer health(GrpcWire wire) throws Exception {
        return GrpcWire.wait(wire.send("/grpc.health.v1.Health/Check", Map.of(), GrpcWire.frame(0, new byte[0])));
    }
}
