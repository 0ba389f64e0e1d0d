package io.meridian.limiter.api;

import io.meridian.limiter.caller.Caller;
import io.meridian.limiter.caller.CallerResolver;
import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.http.CheckAnswers;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.http.RequestGate;
import io.meridian.limiter.http.RequestGate.CallerToken;
import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import io.meridian.service.http.Problem;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Route that gateways ask about a raw request: the status is the answer. A route and not a resource, because gateways ask with
 * whatever method the request had.
 */
@Singleton
class ForwardAuth {
    private static final Logger LOG = Logger.getLogger(ForwardAuth.class);

    /** After the front door, before everything else. */
    private static final int ORDER = 1;

    private final Limiter limiter;
    private final CallerResolver callers;
    private final CheckAnswers answers;

    ForwardAuth(Limiter limiter, CallerResolver callers, CheckAnswers answers) {
        this.limiter = limiter;
        this.callers = callers;
        this.answers = answers;
    }

    void install(@Observes Router router) {
        // With what follows the path: Envoy's ext_authz appends the path of the request that it asks about.
        router.route(RequestGate.FORWARD_AUTH + "/*").order(ORDER).handler(this::answer);
    }

    private void answer(RoutingContext call) {
        try {
            Caller caller = callers.identify(call.request(), CallerToken.bearer(call.request()));
            limiter.check(ForwardedRequest.check(call.request(), caller))
                    .whenComplete((ruling, failure) -> answer(call, caller, ruling, failure));
        } catch (ValidationException invalid) {
            refuse(call, Problem.of(ErrorCode.INVALID, invalid.errors()));
        } catch (RuntimeException failure) {
            fail(call, failure);
        }
    }

    private void answer(RoutingContext call, Caller caller, @Nullable CheckResult ruling, @Nullable Throwable failure) {
        if (ruling == null) {
            fail(call, failure);
        } else {
            answers.forwarded(ruling, caller).writeTo(call.response());
        }
    }

    private static void fail(RoutingContext call, @Nullable Throwable failure) {
        LOG.error("a forwarded request could not be decided", failure);
        refuse(call, Problem.of(ErrorCode.INTERNAL, "the limiter failed; its log says why"));
    }

    private static void refuse(RoutingContext call, Problem problem) {
        HttpAnswer.of(problem, RequestGate.FORWARD_AUTH).writeTo(call.response());
    }

    /** Check of a raw request. All that is known of its caller becomes an attribute; policies choose by their keys. */
    static final class ForwardedRequest {
        private static final int HEADERS_MAX = 64;
        private static final int NAME_MAX = 64;

        /** Headers that no policy may select by: credentials of the client and of the gateway. */
        private static final Set<String> WITHHELD =
                Set.of("authorization", "proxy-authorization", "cookie", "x-api-key", "x-meridian-token");

        private ForwardedRequest() {}

        static Check check(HttpServerRequest request, Caller caller) {
            return new Check(caller.attributes(), endpoint(request), method(request), headers(request), "", 1);
        }

        /** The path alone: what follows it does not choose a policy, and may be long. */
        private static String endpoint(HttpServerRequest request) {
            String uri = request.getHeader("X-Forwarded-Uri");
            if (uri == null) {
                uri = appended(request.uri());
            }
            int query = uri.indexOf('?');
            return query < 0 ? uri : uri.substring(0, query);
        }

        /** The part of the called path after that of forward-auth. */
        private static String appended(String uri) {
            return uri.startsWith(RequestGate.FORWARD_AUTH + "/")
                    ? uri.substring(RequestGate.FORWARD_AUTH.length())
                    : "";
        }

        private static String method(HttpServerRequest request) {
            String method = request.getHeader("X-Forwarded-Method");
            return method == null ? request.method().name() : method.strip();
        }

        /**
         * The headers that policies may select by: the first of each name, and no more than a check takes. A value with bytes that are no text,
         * which HTTP allows and no policy can name, is left out.
         */
        private static Map<String, String> headers(HttpServerRequest request) {
            Map<String, String> headers = new HashMap<>();
            for (Map.Entry<String, String> header : request.headers()) {
                String name = header.getKey().toLowerCase(Locale.ROOT);
                if (headers.size() < HEADERS_MAX
                        && name.length() <= NAME_MAX
                        && Validator.isPlain(header.getValue())
                        && !WITHHELD.contains(name)) {
                    headers.putIfAbsent(name, header.getValue());
                }
            }
            return headers;
        }
    }
}
