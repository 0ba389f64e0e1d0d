package io.meridian.limiter;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.limiter.WarmUp.LimiterReadiness;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a limiter says that it is ready: a real one warms up faster than anybody can ask it. */
@Timeout(300)
class WarmUpTest {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final Queue<HttpServerRequest> unanswered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private boolean answering;

    private final LimiterConfig config = new LimiterConfig() {
        @Override
        public String region() {
            return "us-east";
        }

        @Override
        public Optional<String> instance() {
            return Optional.empty();
        }
    };

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void a_limiter_is_ready_only_after_all_its_calls_to_itself_were_answered() throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(this::called)
                .listen(0, HOST)
                .toCompletionStage()
                .toCompletableFuture()
                .get(2, TimeUnit.MINUTES);
        WarmUp warmUp = new WarmUp(vertx, Optional.empty());
        LimiterReadiness readiness = new LimiterReadiness(config, warmUp);
        assertThat(readiness.call().getStatus()).isEqualTo(Status.DOWN);

        warmUp.listening(
                new HttpServerStart(new HttpServerOptions().setHost(HOST).setPort(server.actualPort())));
        eventually("it calls itself").until(() -> !unanswered.isEmpty());
        assertThat(readiness.call().getStatus()).isEqualTo(Status.DOWN);

        answerFromNowOn();
        eventually("it is ready").until(() -> readiness.call().getStatus() == Status.UP);
        assertThat(answered).hasValue(WarmUp.CALLS);
    }

    private synchronized void answerFromNowOn() {
        answering = true;
        unanswered.forEach(this::answer);
    }

    private synchronized void called(HttpServerRequest call) {
        if (answering) {
            answer(call);
        } else {
            unanswered.add(call);
        }
    }

    private void answer(HttpServerRequest call) {
        answered.incrementAndGet();
        call.response().end();
    }
}
