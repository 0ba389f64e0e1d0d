package io.meridian.limiter.api;

import io.meridian.limiter.decide.Limiter.RequestIdReused;
import io.meridian.limiter.http.CheckJsonReader.CheckCall;
import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.limiter.http.RequestGate;
import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemCode;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.ProblemMapping;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Mapping of whatever is thrown in a call of the limiter to a problem document. */
class ProblemMapper extends ProblemMapping {
    ProblemMapper() {
        super("limiter");
    }

    @ServerExceptionMapper({Throwable.class, WebApplicationException.class})
    public Response map(Throwable failure, HttpServerRequest request) {
        return response(failure, request);
    }

    /** Answer of a plain route to a call that failed. */
    HttpAnswer answer(Throwable failure, HttpServerRequest request) {
        ProblemException refused = refused(failure, request);
        HttpAnswer answer = HttpAnswer.of(refused.problem(), String.valueOf(request.path()));
        refused.headers().forEach(answer.headers()::add);
        headers(refused.problem(), request).forEach(answer.headers()::add);
        return answer;
    }

    @Override
    protected ProblemCode code(int status) {
        return switch (status) {
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            case 415 -> ErrorCode.NOT_JSON;
            case 422 -> ErrorCode.INVALID;
            case 500 -> ErrorCode.INTERNAL;
            default -> ErrorCode.REFUSED;
        };
    }

    @Override
    protected Optional<ProblemException> refusal(Throwable failure, HttpServerRequest request) {
        if (failure instanceof RegionUnavailable || failure.getCause() instanceof RegionUnavailable) {
            // Only reservations and leases need the region's records; a check is decided without them.
            String detail = "reservations and leases are kept in the region's Redis, which does not answer; try again";
            Problem problem = Problem.of(ErrorCode.REGION_AWAY, detail);
            return Optional.of(new ProblemException(problem, Map.of(HttpHeaders.RETRY_AFTER, "1"), Map.of()));
        }
        Throwable known = failure.getCause() == null ? failure : failure.getCause();
        return known instanceof RequestIdReused reused
                ? Optional.of(new ProblemException(CheckCall.refusal(reused, "")))
                : Optional.empty();
    }

    @Override
    protected Map<String, String> headers(Problem problem, HttpServerRequest request) {
        if (problem.code() == ErrorCode.METHOD_NOT_ALLOWED) {
            return Map.of(HttpHeaders.ALLOW, allowed(String.valueOf(request.path())));
        }
        boolean closes = problem.code() == ErrorCode.BODY_TOO_LARGE && RequestGate.closesAfter(request);
        return closes ? Map.of("Connection", "close") : Map.of();
    }

    /** Methods of a path. */
    static String allowed(String path) {
        if (path.endsWith("/status")) {
            return "GET, HEAD, OPTIONS";
        }
        if (path.endsWith("/load")) {
            return "PUT, OPTIONS";
        }
        boolean cancels = path.contains("/reservations/") && !path.endsWith("/commit");
        return cancels ? "DELETE, OPTIONS" : "POST, OPTIONS";
    }
}
