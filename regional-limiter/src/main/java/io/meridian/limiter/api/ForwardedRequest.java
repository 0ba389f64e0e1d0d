package io.meridian.limiter.api;

import io.meridian.limiter.caller.Caller;
import io.meridian.model.match.Check;
import io.meridian.model.validation.Validator;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The check that a raw request comes to. All that is known of its caller becomes an attribute; policies choose by their keys. */
final class ForwardedRequest {
    private static final int HEADERS_MAX = 64;
    private static final int NAME_MAX = 64;

    /** What no policy is to select by: secrets, and what the gateway says itself. */
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
            return "";
        }
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
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
