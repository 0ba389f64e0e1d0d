package io.meridian.client.filter;

import io.meridian.client.CheckDecision;
import io.meridian.client.CheckRequest;
import io.meridian.client.InvalidCheckException;
import io.meridian.client.MeridianClient;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import java.util.function.Function;

/**
 * JAX-RS filter that checks each request before it is served; register an instance of it, or produce one in a subclass with
 * {@code @Provider}. It blocks while a limiter is asked, so endpoints must run on worker threads; on an event loop use
 * {@link RateLimitVertxHandler}. JAX-RS does not know the peer's address: a mapping that needs it takes it from the framework.
 */
@Priority(Priorities.AUTHORIZATION)
public class RateLimitJaxRsFilter implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String DECISION = "io.meridian.client.decision";

    private final MeridianClient client;
    private final Function<ContainerRequestContext, CheckRequest> mapping;

    /** A filter that checks by {@link #byKey}. */
    public RateLimitJaxRsFilter(MeridianClient client) {
        this(client, RateLimitJaxRsFilter::byKey);
    }

    /** A filter that checks what {@code mapping} makes of a request. */
    public RateLimitJaxRsFilter(MeridianClient client, Function<ContainerRequestContext, CheckRequest> mapping) {
        this.client = client;
        this.mapping = mapping;
    }

    /** Endpoint, method, and the header {@code X-API-Key} as {@code api_key} if it is there. */
    public static CheckRequest byKey(ContainerRequestContext request) {
        CheckRequest.Builder check = CheckRequest.builder()
                .endpoint(RequestParts.path(path(request)))
                .method(request.getMethod());
        String key = request.getHeaderString("X-API-Key");
        if (key != null && !key.isEmpty()) {
            check.attribute("api_key", key);
        }
        return check.build();
    }

    @Override
    public void filter(ContainerRequestContext request) {
        try {
            CheckDecision decision = client.check(mapping.apply(request));
            if (decision.allowed()) {
                request.setProperty(DECISION, decision);
            } else {
                abort(request, RateLimitAnswer.refused(decision, path(request), id(request)));
            }
        } catch (InvalidCheckException invalid) {
            abort(request, RateLimitAnswer.invalid(invalid, path(request), id(request)));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(DECISION) instanceof CheckDecision decision) {
            RateLimitAnswer.headers(decision)
                    .forEach((name, value) -> response.getHeaders().putSingle(name, value));
        }
    }

    private static String path(ContainerRequestContext request) {
        return request.getUriInfo().getRequestUri().getRawPath();
    }

    private static String id(ContainerRequestContext request) {
        String sent = request.getHeaderString(RateLimitAnswer.REQUEST_ID);
        return sent == null ? "" : sent;
    }

    private static void abort(ContainerRequestContext request, RateLimitAnswer answer) {
        Response.ResponseBuilder response = Response.status(answer.status())
                .type(RateLimitAnswer.CONTENT_TYPE)
                .entity(answer.body());
        answer.headers().forEach(response::header);
        request.abortWith(response.build());
    }
}
