package io.meridian.limiter.api;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a caller must present. Compared in constant time and never repeated anywhere. */
final class CallerToken {
    private static final CharSequence HEADER = HttpHeaders.createOptimized("X-Meridian-Token");
    private static final String SCHEME = "bearer ";

    private final byte[] token;

    CallerToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Whether a call bears the token.
     *
     * @param forwarding whether {@code Authorization} is another's, passed on by a gateway, and not the caller's own
     */
    boolean isPresentedBy(HttpServerRequest request, boolean forwarding) {
        String own = request.getHeader(HEADER);
        return matches(own) || (own == null && !forwarding && matches(bearer(request)));
    }

    private boolean matches(@Nullable String presented) {
        return presented != null && MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8));
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
