package io.meridian.config.api;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.access.AdminCaller;
import io.meridian.config.access.AdminRole;
import io.meridian.config.api.AccessFilter.OpenToTenantAdmins;
import io.meridian.config.api.AccessFilter.RequiresRole;
import io.meridian.config.api.AccessFilter.SignsIn;
import io.meridian.config.console.ConsoleConfig;
import io.meridian.config.console.ConsoleSessions;
import io.meridian.config.console.ConsoleSessions.Link;
import io.meridian.config.console.ConsoleSessions.Opened;
import io.meridian.config.console.ConsoleSessions.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.validation.EnumNames;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/**
 * The console's session: sign-in with a token or with the code of a sign-in link, the present caller, and sign-out. The cookie
 * is sent to the admin API only, is not readable by scripts, and is not sent with requests of other sites.
 */
@OpenToTenantAdmins
@Path(SessionResource.PATH)
@Blocking
@Produces(MediaType.APPLICATION_JSON)
class SessionResource {
    static final String PATH = EntriesResource.BASE + "session";

    private final ConsoleSessions sessions;
    private final ConsoleConfig config;
    private final CallContext call;
    private final HttpServerRequest http;

    SessionResource(ConsoleSessions sessions, ConsoleConfig config, CallContext call, HttpServerRequest http) {
        this.sessions = sessions;
        this.config = config;
        this.call = call;
        this.http = http;
    }

    /**
     * The present caller.
     *
     * @param tenant of a tenant admin
     * @param csrfToken what a change with the cookie must carry; null where the call was made with a token
     * @param endsAt the latest end of the session; null where there is none
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record SessionAnswer(
            String name,
            String role,
            @Nullable String tenant,
            @Nullable String csrfToken,
            @Nullable String endsAt) {
        static SessionAnswer of(AdminCaller caller, @Nullable Session session) {
            return new SessionAnswer(
                    caller.name(),
                    EnumNames.text(caller.role()),
                    caller.tenant().orElse(null),
                    session == null ? null : session.csrfToken(),
                    session == null
                            ? null
                            : Timestamps.ofMicros(session.endsAtMicros()).toString());
        }
    }

    /** The code of a sign-in link, and the path of the console that redeems it. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record LinkAnswer(String path, String expiresAt) {
        /** In the fragment, which browsers send to no server. */
        private static final String SIGN_IN = "/console/#/sign-in?code=";

        static LinkAnswer of(Link link) {
            return new LinkAnswer(
                    SIGN_IN + link.code(),
                    Timestamps.ofMicros(link.endsAtMicros()).toString());
        }
    }

    @POST
    @RequiresRole(AdminRole.VIEWER)
    @SignsIn
    public RestResponse<SessionAnswer> signIn(
            @CookieParam(PresentedCredential.COOKIE) @Nullable String earlier, @Context UriInfo uri) {
        Query.of(uri);
        if (earlier != null) {
            sessions.close(earlier);
        }
        Opened opened = sessions.open(call.caller().name(), call.credential());
        return RestResponse.ResponseBuilder.create(
                        RestResponse.Status.CREATED, SessionAnswer.of(call.caller(), opened.session()))
                .cookie(cookie(opened.secret(), NewCookie.DEFAULT_MAX_AGE))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    @GET
    @RequiresRole(AdminRole.VIEWER)
    public RestResponse<SessionAnswer> get(
            @CookieParam(PresentedCredential.COOKIE) @Nullable String secret,
            @Context UriInfo uri,
            @Context HttpHeaders headers) {
        Query.of(uri);
        boolean byToken = headers.getHeaderString(HttpHeaders.AUTHORIZATION) != null;
        Session session =
                secret == null || byToken ? null : sessions.find(secret).orElse(null);
        return RestResponse.ResponseBuilder.ok(SessionAnswer.of(call.caller(), session))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    @DELETE
    @RequiresRole(AdminRole.VIEWER)
    public RestResponse<Void> signOut(
            @CookieParam(PresentedCredential.COOKIE) @Nullable String secret, @Context UriInfo uri) {
        Query.of(uri);
        if (secret != null) {
            sessions.close(secret);
        }
        return RestResponse.ResponseBuilder.<Void>noContent()
                .cookie(cookie("", 0))
                .build();
    }

    /** A link by which another browser signs in as the caller, once. */
    @POST
    @Path("links")
    @RequiresRole(AdminRole.VIEWER)
    public RestResponse<LinkAnswer> newLink(@Context UriInfo uri) {
        Query.of(uri);
        return RestResponse.ResponseBuilder.create(
                        RestResponse.Status.CREATED,
                        LinkAnswer.of(sessions.newLink(call.caller().name(), call.credential())))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    private NewCookie cookie(String value, int maxAge) {
        return new NewCookie.Builder(PresentedCredential.COOKIE)
                .value(value)
                .path("/" + stripped(EntriesResource.BASE))
                .httpOnly(true)
                .secure(config.cookieSecure() || http.isSSL())
                .sameSite(NewCookie.SameSite.STRICT)
                .maxAge(maxAge)
                .build();
    }

    private static String stripped(String path) {
        return path.replaceAll("^/|/$", "");
    }
}
