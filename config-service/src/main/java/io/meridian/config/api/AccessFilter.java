package io.meridian.config.api;

import io.meridian.config.access.AdminCaller;
import io.meridian.config.access.AdminRole;
import io.meridian.config.access.Callers;
import io.meridian.config.api.PresentedCredential.Presented;
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
import java.util.Map;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Authentication and authorization of calls. The filter acts on the matched resource method, not on the path, so that no
 * spelling of a path evades it.
 */
class AccessFilter {
    private static final Map<String, String> CHALLENGE =
            Map.of(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"meridian\"");
    private static final String BY_COOKIE = "meridian.by-cookie";

    private final Callers callers;
    private final PresentedCredential credentials;
    private final CallContext call;
    private final RefusedCalls refused;

    AccessFilter(Callers callers, PresentedCredential credentials, CallContext call, RefusedCalls refused) {
        this.callers = callers;
        this.credentials = credentials;
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
        Presented presented =
                credentials.read(request, resource.getResourceMethod().isAnnotationPresent(SignsIn.class));
        request.setProperty(BY_COOKIE, presented.isByCookie());
        if (presented.caller().isEmpty()) {
            throw unidentified(presented, method);
        }
        AdminCaller caller = presented.caller().get().caller();
        boolean open = caller.role() == AdminRole.TENANT_ADMIN
                && resource.getResourceClass().isAnnotationPresent(OpenToTenantAdmins.class);
        if (!open && !caller.role().covers(needed)) {
            refused.add(caller.name(), "forbidden", method);
            throw Refusal.of(
                    AdminErrorCode.FORBIDDEN,
                    "this needs the role " + EnumNames.text(needed) + ", and the token's is "
                            + EnumNames.text(caller.role()));
        }
        call.identify(presented.caller().get(), requestId);
    }

    private Refusal unidentified(Presented presented, String method) {
        if (!callers.isLoaded()) {
            return Refusal.of(
                    Problem.of(
                            AdminErrorCode.DATABASE_AWAY,
                            "PostgreSQL was not reached since the start, so no token is known yet"),
                    Map.of(HttpHeaders.RETRY_AFTER, "1"));
        }
        refused.add("nobody", presented.refusal().audited, method);
        return presented.isForged()
                ? Refusal.of(AdminErrorCode.CROSS_SITE, presented.refusal().detail)
                : Refusal.of(Problem.of(AdminErrorCode.UNAUTHENTICATED, presented.refusal().detail), CHALLENGE);
    }

    @ServerResponseFilter
    public void addRequestId(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(CallContext.REQUEST_ID) instanceof String id) {
            response.getHeaders().putSingle(CallContext.REQUEST_ID, id);
        }
        if (Boolean.TRUE.equals(request.getProperty(BY_COOKIE))) {
            // A browser must not show it again after the sign-out.
            response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
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

    /** Mark of the method that opens a session. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface SignsIn {}
}
