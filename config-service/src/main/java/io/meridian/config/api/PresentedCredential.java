package io.meridian.config.api;

import io.meridian.config.access.Callers;
import io.meridian.config.access.Callers.Identified;
import io.meridian.config.console.ConsoleSessions;
import io.meridian.config.console.ConsoleSessions.Session;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.HttpHeaders;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reader of what a call presents: a bearer token, the code of a sign-in link, or the cookie of a console session. An
 * Authorization header precedes a cookie.
 *
 * <p>A browser adds the cookie by itself, so a change that is made with it must also show that a page of this origin made it:
 * by the session's CSRF token, which no other origin can read, and by the origin that the browser names.
 */
@Singleton
class PresentedCredential {
    static final String COOKIE = "meridian_session";
    static final String CSRF_HEADER = "X-CSRF-Token";

    private static final String BEARER = "Bearer ";
    private static final String LINK = "SignInLink ";
    private static final String ORIGIN = "Origin";
    private static final String FETCH_SITE = "Sec-Fetch-Site";
    /** Sites of a request that a page of this origin or the user makes. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private static final Set<String> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final String CROSS_SITE =
            "a change with the console's cookie must come from the console's own pages, with its header " + CSRF_HEADER;

    private final Callers callers;
    private final ConsoleSessions sessions;

    PresentedCredential(Callers callers, ConsoleSessions sessions) {
        this.callers = callers;
        this.sessions = sessions;
    }

    /**
     * Result of reading a call.
     *
     * @param caller empty if nothing was presented, or nothing that is known
     * @param refusal the reason for the audit trail and for the caller, if there is no caller
     * @param isForged whether the call was made with a cookie and not by a page of this origin
     */
    record Presented(Optional<Identified> caller, Reason refusal, boolean isForged, boolean isByCookie) {
        private static Presented of(Optional<Identified> caller, Reason refusal) {
            return new Presented(caller, refusal, false, false);
        }
    }

    /** Reason why a call has no caller. */
    enum Reason {
        ABSENT("no token", "a bearer token is needed: Authorization: Bearer …"),
        WRONG_TOKEN("wrong token", "the bearer token is not known, has ended or was revoked"),
        WRONG_LINK("wrong sign-in link", "the sign-in link was used, has ended or is not known: ask for a new one"),
        ENDED_SESSION("ended session", "the session has ended: sign in again"),
        FORGED("cross-site request", CROSS_SITE);

        final String audited;
        final String detail;

        Reason(String audited, String detail) {
            this.audited = audited;
            this.detail = detail;
        }
    }

    /** @param signsIn whether the call opens a session, the only thing that the code of a link is good for */
    Presented read(ContainerRequestContext request, boolean signsIn) {
        List<String> headers = request.getHeaders().getOrDefault(HttpHeaders.AUTHORIZATION, List.of());
        if (!headers.isEmpty()) {
            return headers.size() == 1 ? authorization(headers.get(0), signsIn) : absent();
        }
        Cookie cookie = request.getCookies().get(COOKIE);
        return cookie == null ? absent() : session(cookie.getValue(), request);
    }

    private Presented authorization(String header, boolean signsIn) {
        if (signsIn && hasScheme(header, LINK)) {
            String code = header.substring(LINK.length()).strip();
            return Presented.of(sessions.redeem(code).flatMap(callers::of), Reason.WRONG_LINK);
        }
        if (hasScheme(header, BEARER)) {
            return Presented.of(
                    callers.ofToken(header.substring(BEARER.length()).strip()), Reason.WRONG_TOKEN);
        }
        return absent();
    }

    private Presented session(String secret, ContainerRequestContext request) {
        Optional<Session> session = sessions.find(secret);
        if (session.isPresent() && !READING.contains(request.getMethod()) && !isOwnPage(request, session.get())) {
            return new Presented(Optional.empty(), Reason.FORGED, true, true);
        }
        return new Presented(session.flatMap(each -> callers.of(each.credential())), Reason.ENDED_SESSION, false, true);
    }

    private static Presented absent() {
        return Presented.of(Optional.empty(), Reason.ABSENT);
    }

    private static boolean hasScheme(String header, String scheme) {
        return header.regionMatches(true, 0, scheme, 0, scheme.length());
    }

    private static boolean isOwnPage(ContainerRequestContext request, Session session) {
        String token = request.getHeaderString(CSRF_HEADER);
        String site = request.getHeaderString(FETCH_SITE);
        return token != null
                && session.hasCsrfToken(token)
                && (site == null || OWN_SITES.contains(site))
                && isOwnOrigin(request.getHeaderString(ORIGIN), request.getHeaderString(HttpHeaders.HOST));
    }

    /** Only the host is compared: behind a proxy that ends TLS the scheme differs. */
    private static boolean isOwnOrigin(@Nullable String origin, @Nullable String host) {
        if (origin == null) {
            return true;
        }
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
