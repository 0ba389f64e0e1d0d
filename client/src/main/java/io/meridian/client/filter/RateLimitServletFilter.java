package io.meridian.client.filter;

import io.meridian.client.CheckDecision;
import io.meridian.client.CheckRequest;
import io.meridian.client.InvalidCheckException;
import io.meridian.client.MeridianClient;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;

/**
 * Servlet filter that checks each request before it is served; also a Spring bean of type {@code jakarta.servlet.Filter}. The thread of the
 * request waits for the decision, which a lease makes in memory.
 */
public final class RateLimitServletFilter implements Filter {
    private final MeridianClient client;
    private final Function<HttpServletRequest, CheckRequest> mapping;

    /** A filter that checks by {@link #byAddressAndKey}. */
    public RateLimitServletFilter(MeridianClient client) {
        this(client, RateLimitServletFilter::byAddressAndKey);
    }

    /** A filter that checks what {@code mapping} makes of a request, for example with the user that an earlier filter has authenticated. */
    public RateLimitServletFilter(MeridianClient client, Function<HttpServletRequest, CheckRequest> mapping) {
        this.client = client;
        this.mapping = mapping;
    }

    /** Endpoint, method, the peer's address as {@code ip}, and the header {@code X-API-Key} as {@code api_key} if it is there. */
    public static CheckRequest byAddressAndKey(HttpServletRequest request) {
        CheckRequest.Builder check = CheckRequest.builder()
                .endpoint(RequestParts.path(request.getRequestURI()))
                .method(request.getMethod())
                .attribute("ip", RequestParts.address(request.getRemoteAddr()));
        String key = request.getHeader("X-API-Key");
        if (key != null && !key.isEmpty()) {
            check.attribute("api_key", key);
        }
        return check.build();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        CheckDecision decision;
        try {
            decision = client.check(mapping.apply(http));
        } catch (InvalidCheckException invalid) {
            write(answer, RateLimitAnswer.invalid(invalid, http.getRequestURI(), id(http)));
            return;
        }
        if (decision.allowed()) {
            RateLimitAnswer.headers(decision).forEach(answer::setHeader);
            chain.doFilter(request, response);
        } else {
            write(answer, RateLimitAnswer.refused(decision, http.getRequestURI(), id(http)));
        }
    }

    private static String id(HttpServletRequest request) {
        String sent = request.getHeader(RateLimitAnswer.REQUEST_ID);
        return sent == null ? "" : sent;
    }

    private static void write(HttpServletResponse response, RateLimitAnswer answer) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        response.setContentType(RateLimitAnswer.CONTENT_TYPE);
        byte[] body = answer.body();
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
