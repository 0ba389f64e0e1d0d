package io.meridian.limiter;

import io.meridian.limiter.caller.AccessTokens;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Calls of a starting limiter to itself, before it reports that it is ready. The first calls load and compile what answers them,
 * for seconds where the machine is busy, and callers would wait for that: a restart under load would cost checks. Nothing is
 * consumed: it asks how a limit stands, and sends a check that is refused. After {@link #WITHIN} it is ready in any case.
 */
@Singleton
class WarmUp {
    static final int CALLS = 40;
    static final String STATUS = "/api/v1/rate-limit/status?user_id=warm-up&endpoint=/&method=GET";

    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final String REFUSED = "{\"attributes\": {\"user_id\": \"warm-up\"}, \"cost\": -1}";
    /** A connection for each of so many event loops. */
    private static final int CONNECTIONS = 4;

    private static final Duration WITHIN = Duration.ofSeconds(15);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final Optional<String> token;
    private volatile boolean done;

    @Inject
    WarmUp(Vertx vertx, AccessTokens tokens) {
        this(vertx, tokens.ownToken());
    }

    /** @param token what it presents to itself, if anything must be presented */
    WarmUp(Vertx vertx, Optional<String> token) {
        this.vertx = vertx;
        this.token = token;
    }

    boolean isDone() {
        return done;
    }

    void start(@Observes StartupEvent started) {
        vertx.setTimer(WITHIN.toMillis(), ignored -> done = true);
    }

    void listening(@ObservesAsync HttpServerStart server) {
        HttpServerOptions door = server.options();
        // Behind TLS it would have to trust itself; a test's door may have a port that only the system knows.
        if (door.isSsl() || door.getPort() <= 0) {
            done = true;
            return;
        }
        HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                .setDefaultHost(door.getHost())
                .setDefaultPort(door.getPort())
                .setConnectTimeout((int) ANSWER_WITHIN.toMillis())
                .setReadIdleTimeout((int) ANSWER_WITHIN.toSeconds()));
        List<Future<?>> chains = new ArrayList<>();
        for (int chain = 0; chain < CONNECTIONS; chain++) {
            chains.add(calls(client, CALLS / CONNECTIONS));
        }
        Future.join(chains).onComplete(ignored -> {
            done = true;
            client.close();
        });
    }

    /** So many calls, one after the other, however each of them goes. */
    private Future<?> calls(HttpClient client, int count) {
        Future<?> call = client.request(
                        count % 2 == 0 ? HttpMethod.GET : HttpMethod.POST, count % 2 == 0 ? STATUS : CHECK)
                .compose(this::sent)
                .compose(HttpClientResponse::body);
        return count == 1
                ? call
                : call.transform(ignored -> calls(client, count - 1).mapEmpty());
    }

    private Future<HttpClientResponse> sent(HttpClientRequest request) {
        token.ifPresent(own -> request.putHeader("Authorization", "Bearer " + own));
        return request.getMethod().equals(HttpMethod.GET)
                ? request.send()
                : request.putHeader("Content-Type", "application/json").send(REFUSED);
    }

    /** Readiness of a limiter: as soon as it is warm, for it decides from its fallback also when cut off from everything. */
    @Readiness
    @ApplicationScoped
    static class LimiterReadiness implements HealthCheck {
        private final LimiterConfig config;
        private final WarmUp warmUp;

        LimiterReadiness(LimiterConfig config, WarmUp warmUp) {
            this.config = config;
            this.warmUp = warmUp;
        }

        @Override
        public HealthCheckResponse call() {
            return HealthCheckResponse.named("regional-limiter")
                    .status(warmUp.isDone())
                    .withData("region", config.region())
                    .build();
        }
    }
}
