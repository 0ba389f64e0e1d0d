package io.meridian.config.api;

import io.meridian.config.access.AdminCaller;
import io.meridian.config.access.AdminRole;
import io.meridian.config.access.IdentityProvider;
import io.meridian.config.access.TokenCache;
import io.meridian.config.audit.RefusedCalls;
import io.meridian.model.validation.EnumNames;
import io.meridian.service.http.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authentication and authorization of calls. The filter acts on the matched resource method, not on the path, so that no
 * spelling of a path evades it.
 */
class AccessFilter {
    private static final String BEARER = "Bearer ";
    private static final Map<String, String> CHALLENGE =
            Map.of(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"meridian\"");

    private final TokenCache tokens;
    private final IdentityProvider provider;
    private final CallContext call;
    private final RefusedCalls refused;

    AccessFilter(TokenCache tokens, IdentityProvider provider, CallContext call, RefusedCalls refused) {
        this.tokens = tokens;
        this.provider = provider;
        this.call = call;
        this.refused = refused;
    }

    @ServerRequestFilter
    public void check(ContainerRequestContext request, ResourceInfo resource) {
        RequiresRole required = resource.getResourceMethod().getAnnotation(RequiresRole.class);
        AdminRole needed = required == null ? AdminRole.ADMIN : required.value();
        String method = resource.getResourceClass().getSimpleName() + "."
                + resource.getResourceMethod().getName();
        String requestId = CallContext.requestId(request.getHeaderString(CallContext.REQUEST_ID));
        request.setProperty(CallContext.REQUEST_ID, requestId);
        Optional<String> token = token(request);
        Optional<AdminCaller> caller = token.flatMap(each -> tokens.caller(each).or(() -> provider.caller(each)));
        if (caller.isEmpty()) {
            throw unauthenticated(token.isPresent(), method);
        }
        boolean open = caller.get().role() == AdminRole.TENANT_ADMIN
                && resource.getResourceClass().isAnnotationPresent(OpenToTenantAdmins.class);
        if (!open && !caller.get().role().covers(needed)) {
            refused.add(caller.get().name(), "forbidden", method);
            throw Refusal.of(
                    AdminErrorCode.FORBIDDEN,
                    "this needs the role " + EnumNames.text(needed) + ", and the token's is "
                            + EnumNames.text(caller.get().role()));
        }
        call.identify(caller.get(), requestId);
    }

    private Refusal unauthenticated(boolean presented, String method) {
        if (!tokens.isLoaded()) {
            return Refusal.of(
                    Problem.of(
                            AdminErrorCode.DATABASE_AWAY,
                            "PostgreSQL was not reached since the start, so no token is known yet"),
                    Map.of(HttpHeaders.RETRY_AFTER, "1"));
        }
        refused.add("nobody", presented ? "wrong token" : "no token", method);
        String detail = presented
                ? "the bearer token is not known, has ended or was revoked"
                : "a bearer token is needed: Authorization: Bearer …";
        return Refusal.of(Problem.of(AdminErrorCode.UNAUTHENTICATED, detail), CHALLENGE);
    }

    private static Optional<String> token(ContainerRequestContext request) {
        List<String> headers = request.getHeaders().getOrDefault(HttpHeaders.AUTHORIZATION, List.of());
        return headers.size() == 1 && headers.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(headers.get(0).substring(BEARER.length()).strip())
                : Optional.empty();
    }

    @ServerResponseFilter
    public void addRequestId(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(CallContext.REQUEST_ID) instanceof String id) {
            response.getHeaders().putSingle(CallContext.REQUEST_ID, id);
        }
    }

    /**
     * Mark of a resource that tenant admins may call, whatever role its methods need; it restricts them to their tenant itself. Every other
     * resource refuses them.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface OpenToTenantAdmins {}

    /** Role that a caller of a resource method needs. A test checks that every method has one. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface RequiresRole {
        AdminRole value();
    }
}
