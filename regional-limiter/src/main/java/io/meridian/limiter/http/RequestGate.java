package io.meridian.limiter.http;

import io.meridian.limiter.LimiterConfig.ApiConfig;
import io.meridian.limiter.caller.AccessTokens;
import io.meridian.limiter.caller.AccessTokens.Admission;
import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.validation.EnumNames;
import io.meridian.service.http.Problem;
import io.meridian.service.http.Redaction;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * First handler of every call of the API: checks that the caller's token is for this call, and that the body is JSON of a size that
 * is read. Nothing is negotiated, because there is but one form of answer: what the caller would accept is not looked at.
 */
@Singleton
public class RequestGate {
    public static final String FORWARD_AUTH = "/api/v1/rate-limit/forward-auth";

    /** Before the framework's own bound of bodies, whose answer has no document. */
    private static final int ORDER = -10;

    private static final String API = "/api";
    private static final String CALLER = "meridian.caller";
    private static final String BEARER = "Bearer";
    private static final CharSequence WWW_AUTHENTICATE = HttpHeaders.createOptimized("WWW-Authenticate");

    private final AccessTokens tokens;
    private final long bytesMax;

    RequestGate(AccessTokens tokens, ApiConfig api) {
        this.tokens = tokens;
        this.bytesMax = api.batchBodyMax().asLongValue();
    }

    void install(@Observes Router router) {
        router.route().order(ORDER).handler(this::pass).failureHandler(RequestGate::refuse);
    }

    /** Answers a request that the server refused before any handler read it, such as one without a host, as the caller's error. */
    private static void refuse(RoutingContext call) {
        int status = call.statusCode();
        if (status < 400 || status >= 500 || call.response().ended()) {
            call.next();
            return;
        }
        Problem problem =
                new Problem(ErrorCode.MALFORMED_REQUEST, status, "the server cannot take this request", List.of());
        HttpAnswer.of(problem, String.valueOf(call.request().path())).writeTo(call.response());
    }

    private void pass(RoutingContext call) {
        String path = call.normalizedPath();
        if (leavesForwardAuth(call.request().path(), path)) {
            Problem problem = Problem.of(
                    ErrorCode.MALFORMED_REQUEST, "the path appended to forward-auth must not lead out of it");
            HttpAnswer.of(problem, FORWARD_AUTH).writeTo(call.response());
            return;
        }
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
            HttpAnswer answer = HttpAnswer.of(problem, path);
            if (problem.code() == ErrorCode.BODY_TOO_LARGE && closesAfter(request)) {
                answer.headers().add(HttpHeaders.CONNECTION, HttpHeaderValues.CLOSE);
            }
            answer.writeTo(call.response());
            return;
        }
        request.headers().remove(HttpHeaders.ACCEPT);
        call.next();
    }

    /**
     * Whether a client's path that a gateway appended climbs out of forward-auth by its dots: it would reach another operation with the
     * gateway's rights, and any 200 would let the request pass unlimited.
     */
    private static boolean leavesForwardAuth(@Nullable String path, @Nullable String normalized) {
        return path != null
                && path.startsWith(FORWARD_AUTH + "/")
                && (normalized == null || !(normalized + "/").startsWith(FORWARD_AUTH + "/"));
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
        HttpAnswer answer = HttpAnswer.of(problem(admission), path);
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
    public static String caller(RoutingContext call) {
        String caller = call.get(CALLER);
        return caller == null ? TokenEntry.ANONYMOUS : caller;
    }

    /** Closes the connection after the answer if the body was not read to its end: no other request can follow it. */
    public static boolean closesAfter(HttpServerRequest request) {
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
                    "the body must have at most " + bytesMax + " bytes, got " + Redaction.value(length));
        }
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        boolean reads =
                request.method().equals(HttpMethod.POST) || request.method().equals(HttpMethod.PUT);
        return reads && type != null && !isJson(type)
                ? Problem.of(ErrorCode.NOT_JSON, "Content-Type must be application/json, got " + Redaction.value(type))
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

    /**
     * Scopes that calls need, by their path as the router sees it. A path that is not listed needs all scopes: no other spelling of
     * a path, and no path that somebody adds and forgets here, is open to a token that is for less.
     */
    static final class CallScopes {
        private static final String RATE_LIMIT = "/api/v1/rate-limit";
        private static final String RESERVATIONS = RATE_LIMIT + "/reservations";
        private static final String LEASES = RATE_LIMIT + "/leases";

        private static final Set<TokenScope> CHECK = Set.of(TokenScope.CHECK);
        private static final Set<TokenScope> OPERATE = Set.of(TokenScope.OPERATE);
        private static final Set<TokenScope> ALL = Set.copyOf(EnumSet.allOf(TokenScope.class));

        private static final Map<String, Set<TokenScope>> BY_PATH = Map.of(
                RATE_LIMIT + "/check",
                CHECK,
                RATE_LIMIT + "/check/batch",
                CHECK,
                RATE_LIMIT + "/status",
                CHECK,
                RequestGate.FORWARD_AUTH,
                CHECK,
                LEASES,
                CHECK,
                RATE_LIMIT + "/refund",
                OPERATE,
                RATE_LIMIT + "/reset",
                OPERATE,
                RESERVATIONS,
                OPERATE,
                "/api/v1/load",
                Set.of(TokenScope.LOAD));

        private CallScopes() {}

        /** @param normalizedPath as the router compares it, without dots and needless escapes */
        static Set<TokenScope> of(String normalizedPath) {
            boolean slash = normalizedPath.endsWith("/");
            Set<TokenScope> listed =
                    BY_PATH.get(slash ? normalizedPath.substring(0, normalizedPath.length() - 1) : normalizedPath);
            if (listed != null) {
                return listed;
            }
            if (normalizedPath.startsWith(RESERVATIONS + "/")) {
                return OPERATE;
            }
            boolean checks = normalizedPath.startsWith(LEASES + "/")
                    || normalizedPath.startsWith(RequestGate.FORWARD_AUTH + "/");
            return checks ? CHECK : ALL;
        }

        static String text(Set<TokenScope> scopes) {
            return scopes.stream().sorted().map(EnumNames::text).collect(Collectors.joining(", "));
        }
    }

    /** Token that a caller presents. Never repeated anywhere. */
    public static final class CallerToken {
        private static final CharSequence HEADER = HttpHeaders.createOptimized("X-Meridian-Token");
        private static final String SCHEME = "bearer ";

        private CallerToken() {}

        /**
         * The caller's own token, null if it has none.
         *
         * @param forwarding whether {@code Authorization} is another's, passed on by a gateway, and not the caller's own
         */
        static @Nullable String presented(HttpServerRequest request, boolean forwarding) {
            String own = request.getHeader(HEADER);
            return own == null && !forwarding ? bearer(request) : own;
        }

        /** Takes the token out of {@code Authorization}, unless it came in its own header. */
        static void forget(HttpServerRequest request) {
            if (request.getHeader(HEADER) == null) {
                request.headers().remove(HttpHeaders.AUTHORIZATION);
            }
        }

        public static @Nullable String bearer(HttpServerRequest request) {
            String header = request.getHeader(HttpHeaders.AUTHORIZATION);
            boolean bears = header != null
                    && header.length() > SCHEME.length()
                    && header.substring(0, SCHEME.length())
                            .toLowerCase(Locale.ROOT)
                            .equals(SCHEME);
            return bears ? header.substring(SCHEME.length()).strip() : null;
        }
    }
}
