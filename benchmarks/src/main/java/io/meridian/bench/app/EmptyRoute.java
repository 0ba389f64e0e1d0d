package io.meridian.bench.app;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Plain route that reads a body and answers a constant: the cost of the server itself, which no call on it can be below. */
@Singleton
class EmptyRoute {
    private static final int BEFORE_THE_FRAMEWORK = -9;

    void install(@Observes Router router) {
        router.post("/bench/empty").order(BEFORE_THE_FRAMEWORK).handler(EmptyRoute::answer);
    }

    private static void answer(RoutingContext call) {
        call.request()
                .bodyHandler(body -> call.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                        .end("{\"allowed\":true}"))
                .resume();
    }
}
