package io.meridian.limiter.api;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a caller presents. Never repeated anywhere. */
final class CallerToken {
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

    static @Nullable String bearer(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        boolean bears = header != null
                && header.length() > SCHEME.length()
                && header.substring(0, SCHEME.length()).toLowerCase(Locale.ROOT).equals(SCHEME);
        return bears ? header.substring(SCHEME.length()).strip() : null;
    }
}
