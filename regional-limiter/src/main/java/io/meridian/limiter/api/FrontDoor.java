package io.meridian.limiter.api;

import io.meridian.limiter.access.AccessTokens;
import io.meridian.limiter.access.Admission;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenEntry;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every call of the API passes first: whether the caller's token is for this call, and whether what it sends is JSON of a
 * size that is read. Nothing is negotiated, because there is but one form of answer: what the caller would accept is not looked at.
 */
@Singleton
class FrontDoor {
    static final String FORWARD_AUTH = "/api/v1/rate-limit/forward-auth";

    /** Before the framework's own bound of bodies, whose answer has no document. */
    private static final int ORDER = -10;

    private static final String API = "/api";
    private static final String CALLER = "meridian.caller";
    private static final String BEARER = "Bearer";
    private static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("WWW-Authenticate");

    private final AccessTokens tokens;
    private final long bytesMax;

    FrontDoor(AccessTokens tokens, ApiConfig api) {
        this.tokens = tokens;
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
        if (!tokens.open() && !isAdmitted(call, path, forwarding)) {
            return;
        }
        if (!tokens.open() && !forwarding) {
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

    /** Whether the call's token is for this call; if not, it is answered. */
    private boolean isAdmitted(RoutingContext call, String path, boolean forwarding) {
        Set<TokenScope> needed = CallScopes.of(path);
        Admission admission = tokens.admit(CallerToken.presented(call.request(), forwarding), needed);
        if (admission instanceof Admission.Admitted admitted) {
            if (needed.contains(TokenScope.OPERATE)) {
                call.put(CALLER, admitted.caller());
            }
            return true;
        }
        Answer answer = problem(admission).answer(path);
        answer.headers().add(WWW_AUTHENTICATE, challenge(admission));
        answer.writeTo(call.response());
        return false;
    }

    private static Problem problem(Admission admission) {
        if (admission instanceof Admission.MissingScope missing) {
            return Problem.of(
                    ErrorCode.FORBIDDEN,
                    "this needs the scope " + CallScopes.text(missing.needed()) + ", and the token " + missing.token()
                            + " has " + CallScopes.text(missing.scopes()));
        }
        String detail = admission instanceof Admission.WithoutToken
                ? "the call must bear a token of this limiter"
                : "the call's token is none of this limiter";
        return Problem.of(ErrorCode.UNAUTHENTICATED, detail);
    }

    /** As RFC 6750 has it. */
    private static String challenge(Admission admission) {
        if (admission instanceof Admission.MissingScope missing) {
            return BEARER + " error=\"insufficient_scope\", scope=\""
                    + CallScopes.text(missing.needed()).replace(", ", " ") + "\"";
        }
        return admission instanceof Admission.WrongToken ? BEARER + " error=\"invalid_token\"" : BEARER;
    }

    /** The name of the token that an operation was asked for with. */
    static String caller(RoutingContext call) {
        String caller = call.get(CALLER);
        return caller == null ? TokenEntry.ANONYMOUS : caller;
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
