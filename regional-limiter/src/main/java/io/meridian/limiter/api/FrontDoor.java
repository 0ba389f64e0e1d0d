package io.meridian.limiter.api;

import io.meridian.limiter.LimiterConfig;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What every call of the API passes first: whether the caller may call at all, and whether what it sends is JSON of a size
 * that is read. Nothing is negotiated, because there is but one form of answer: what the caller would accept is not looked at.
 */
@Singleton
class FrontDoor {
    static final String FORWARD_AUTH = "/api/v1/rate-limit/forward-auth";

    /** Before the framework's own bound of bodies, whose answer has no document. */
    private static final int ORDER = -10;

    private static final String API = "/api";
    private static final CharSequence BEARER = HttpHeaders.createOptimized("Bearer");
    private static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("WWW-Authenticate");

    private final @Nullable CallerToken token;
    private final long bytesMax;

    FrontDoor(LimiterConfig limiter, ApiConfig api) {
        this.token = limiter.token().map(CallerToken::new).orElse(null);
        this.bytesMax = api.batchBodyMax().asLongValue();
    }

    void install(@Observes Router router) {
        router.route().order(ORDER).handler(this::pass).failureHandler(FrontDoor::refuse);
    }

    /** What the server refuses before anything reads it, as a request without a host, is nobody's failure but the caller's. */
    private static void refuse(RoutingContext call) {
        int status = call.statusCode();
        if (status < 400 || status >= 500 || call.response().ended()) {
            call.next();
            return;
        }
        Problem problem =
                new Problem(ErrorCode.MALFORMED_REQUEST, status, "the server cannot take this request", List.of());
        problem.answer(String.valueOf(call.request().path())).writeTo(call.response());
    }

    private void pass(RoutingContext call) {
        String path = call.normalizedPath();
        if (path == null || !path.startsWith(API)) {
            call.next();
            return;
        }
        HttpServerRequest request = call.request();
        boolean forwarding = path.startsWith(FORWARD_AUTH);
        if (token != null && !token.isPresentedBy(request, forwarding)) {
            Answer answer = Problem.of(ErrorCode.UNAUTHENTICATED, "the call must bear the token of this limiter")
                    .answer(path);
            answer.headers().add(WWW_AUTHENTICATE, BEARER);
            answer.writeTo(call.response());
            return;
        }
        if (token != null && !forwarding) {
            // It may have been the limiter's own token, and must not pass for the user's.
            CallerToken.forget(request);
        }
        Problem problem = forwarding ? null : problem(request);
        if (problem != null) {
            Answer answer = problem.answer(path);
            if (problem.code() == ErrorCode.BODY_TOO_LARGE && closesAfter(request)) {
                answer.headers().add(HttpHeaders.CONNECTION, HttpHeaderValues.CLOSE);
            }
            answer.writeTo(call.response());
            return;
        }
        request.headers().remove(HttpHeaders.ACCEPT);
        call.next();
    }

    /** Closes the connection after the answer if the body was not read to its end: no other request can follow it. */
    static boolean closesAfter(HttpServerRequest request) {
        if (request.isEnded()) {
            return false;
        }
        request.response().endHandler(ended -> request.connection().close());
        return true;
    }

    private @Nullable Problem problem(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isAbove(length, bytesMax)) {
            return Problem.of(
                    ErrorCode.BODY_TOO_LARGE,
                    "the body must have at most " + bytesMax + " bytes, got " + Shown.text(length));
        }
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        boolean reads =
                request.method().equals(HttpMethod.POST) || request.method().equals(HttpMethod.PUT);
        return reads && type != null && !isJson(type)
                ? Problem.of(ErrorCode.NOT_JSON, "Content-Type must be application/json, got " + Shown.text(type))
                : null;
    }

    private static boolean isAbove(String length, long max) {
        return length.length() > 18 || Long.parseLong(length) > max;
    }

    static boolean isJson(String contentType) {
        if (contentType.equals("application/json")) {
            return true;
        }
        String lower = contentType.toLowerCase(Locale.ROOT);
        int semicolon = lower.indexOf(';');
        String type = (semicolon < 0 ? lower : lower.substring(0, semicolon)).strip();
        boolean json = type.equals("application/json") || (type.startsWith("application/") && type.endsWith("+json"));
        int charset = lower.indexOf("charset=");
        return json
                && (charset < 0 || lower.startsWith("utf-8", charset + 8) || lower.startsWith("\"utf-8", charset + 8));
    }
}
