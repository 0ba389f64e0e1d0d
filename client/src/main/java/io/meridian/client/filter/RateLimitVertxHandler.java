package io.meridian.client.filter;

import io.meridian.client.CheckDecision;
import io.meridian.client.CheckRequest;
import io.meridian.client.InvalidCheckException;
import io.meridian.client.MeridianClient;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handler of a Vert.x router that checks each request before the next handler. Never blocks; the body is paused meanwhile. */
public final class RateLimitVertxHandler implements Handler<RoutingContext> {
    private final MeridianClient client;
    private final Function<RoutingContext, CheckRequest> mapping;

    /** A handler that checks by {@link #byAddressAndKey}. */
    public RateLimitVertxHandler(MeridianClient client) {
        this(client, RateLimitVertxHandler::byAddressAndKey);
    }

    /** A handler that checks what {@code mapping} makes of a request. */
    public RateLimitVertxHandler(MeridianClient client, Function<RoutingContext, CheckRequest> mapping) {
        this.client = client;
        this.mapping = mapping;
    }

    /** Endpoint, method, the peer's address as {@code ip}, and the header {@code X-API-Key} as {@code api_key} if it is there. */
    public static CheckRequest byAddressAndKey(RoutingContext call) {
        CheckRequest.Builder check = CheckRequest.builder()
                .endpoint(RequestParts.path(call.normalizedPath()))
                .method(call.request().method().name())
                .attribute(
                        "ip",
                        RequestParts.address(call.request().remoteAddress().hostAddress()));
        String key = call.request().getHeader("X-API-Key");
        if (key != null && !key.isEmpty()) {
            check.attribute("api_key", key);
        }
        return check.build();
    }

    @Override
    public void handle(RoutingContext call) {
        CompletionStage<CheckDecision> decision;
        try {
            decision = client.checkAsync(mapping.apply(call));
        } catch (InvalidCheckException invalid) {
            end(call, RateLimitAnswer.invalid(invalid, path(call), id(call)));
            return;
        }
        if (decision.toCompletableFuture().isDone()) {
            decision.whenComplete((decided, failure) -> decided(call, decided, failure));
            return;
        }
        call.request().pause();
        Context context = Vertx.currentContext();
        decision.whenComplete((decided, failure) -> context.runOnContext(back -> {
            call.request().resume();
            decided(call, decided, failure);
        }));
    }

    private static void decided(RoutingContext call, @Nullable CheckDecision decision, @Nullable Throwable failure) {
        if (decision != null && decision.allowed()) {
            RateLimitAnswer.headers(decision).forEach(call.response()::putHeader);
            call.next();
        } else if (decision != null) {
            end(call, RateLimitAnswer.refused(decision, path(call), id(call)));
        } else if (cause(failure) instanceof InvalidCheckException invalid) {
            end(call, RateLimitAnswer.invalid(invalid, path(call), id(call)));
        } else {
            call.fail(failure);
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static String path(RoutingContext call) {
        String path = call.request().path();
        return path == null ? "/" : path;
    }

    private static @Nullable String id(RoutingContext call) {
        return call.request().getHeader(RateLimitAnswer.REQUEST_ID);
    }

    private static void end(RoutingContext call, RateLimitAnswer answer) {
        call.response().setStatusCode(answer.status());
        answer.headers().forEach(call.response()::putHeader);
        call.response().putHeader("Content-Type", RateLimitAnswer.CONTENT_TYPE).end(Buffer.buffer(answer.body()));
    }
}
