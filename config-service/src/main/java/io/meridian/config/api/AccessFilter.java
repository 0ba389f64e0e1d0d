package io.meridian.config.api;

import io.meridian.config.access.Caller;
import io.meridian.config.access.IdentityProvider;
import io.meridian.config.access.Role;
import io.meridian.config.access.TokenBook;
import io.meridian.model.validation.EnumNames;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Lets in who may. It stands before what a method is, not before what a path looks like: a path that is spelled otherwise
 * leads past nothing.
 */
class AccessFilter {
    private static final String BEARER = "Bearer ";
    private static final Map<String, String> CHALLENGE =
            Map.of(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"meridian\"");

    private final TokenBook tokens;
    private final IdentityProvider provider;
    private final CallContext call;
    private final RefusedCalls refused;

    AccessFilter(TokenBook tokens, IdentityProvider provider, CallContext call, RefusedCalls refused) {
        this.tokens = tokens;
        this.provider = provider;
        this.call = call;
        this.refused = refused;
    }

    @ServerRequestFilter
    public void check(ContainerRequestContext request, ResourceInfo resource) {
        Needs needs = resource.getResourceMethod().getAnnotation(Needs.class);
        Role needed = needs == null ? Role.ADMIN : needs.value();
        String what = resource.getResourceClass().getSimpleName() + "."
                + resource.getResourceMethod().getName();
        String requestId = RequestIds.of(request.getHeaderString(RequestIds.HEADER));
        request.setProperty(RequestIds.HEADER, requestId);
        Optional<String> token = token(request);
        Optional<Caller> caller = token.flatMap(each -> tokens.caller(each).or(() -> provider.caller(each)));
        if (caller.isEmpty()) {
            throw unauthenticated(token.isPresent(), what);
        }
        if (!caller.get().role().covers(needed)) {
            refused.add(caller.get().name(), "forbidden", what);
            throw Refusal.of(
                    ErrorCode.FORBIDDEN,
                    "this needs the role " + EnumNames.text(needed) + ", and the token's is "
                            + EnumNames.text(caller.get().role()));
        }
        call.set(caller.get(), requestId);
    }

    private Refusal unauthenticated(boolean presented, String what) {
        if (!tokens.isLoaded()) {
            return Refusal.of(
                    Problem.of(
                            ErrorCode.DATABASE_AWAY,
                            "PostgreSQL was not reached since the start, so no token is known yet"),
                    Map.of(HttpHeaders.RETRY_AFTER, "1"));
        }
        refused.add("nobody", presented ? "wrong token" : "no token", what);
        String detail = presented
                ? "the bearer token is not known, has ended or was revoked"
                : "a bearer token is needed: Authorization: Bearer …";
        return Refusal.of(Problem.of(ErrorCode.UNAUTHENTICATED, detail), CHALLENGE);
    }

    private static Optional<String> token(ContainerRequestContext request) {
        List<String> headers = request.getHeaders().getOrDefault(HttpHeaders.AUTHORIZATION, List.of());
        return headers.size() == 1 && headers.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(headers.get(0).substring(BEARER.length()).strip())
                : Optional.empty();
    }

    @ServerResponseFilter
    public void name(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(RequestIds.HEADER) instanceof String id) {
            response.getHeaders().putSingle(RequestIds.HEADER, id);
        }
    }
}
