package io.meridian.limiter.api;

import io.meridian.limiter.decide.RegionAway;
import io.meridian.limiter.decide.RequestIdReused;
import io.meridian.model.validation.ValidationException;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The one place where what was thrown becomes a problem document. */
class ProblemMapper {
    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);

    @ServerExceptionMapper
    public Response refused(Refusal refusal, HttpServerRequest request) {
        return response(refusal.problem(), request).build();
    }

    /** What a call names and the rulebook does not have. */
    @ServerExceptionMapper
    public Response invalid(ValidationException invalid, HttpServerRequest request) {
        return response(Problem.of(ErrorCode.INVALID, invalid.errors()), request)
                .build();
    }

    /** What the framework refuses by itself. */
    @ServerExceptionMapper
    public Response framework(WebApplicationException refusal, HttpServerRequest request) {
        int status = refusal.getResponse().getStatus();
        String detail = request.method() + " " + Shown.text(String.valueOf(request.path()));
        return switch (status) {
            case 404 ->
                response(Problem.of(ErrorCode.NOT_FOUND, detail), request).build();
            case 405 ->
                response(Problem.of(ErrorCode.METHOD_NOT_ALLOWED, detail), request)
                        .header(HttpHeaders.ALLOW, allowed(request.path()))
                        .build();
            case 413 ->
                response(Problem.of(ErrorCode.BODY_TOO_LARGE, detail), request).build();
            case 415 ->
                response(Problem.of(ErrorCode.NOT_JSON, detail), request).build();
            default ->
                status < 500
                        ? response(new Problem(ErrorCode.REFUSED, status, detail, List.of()), request)
                                .build()
                        : failed(refusal, request);
        };
    }

    /** Only reservations need the region's records; a check is decided without them. */
    @ServerExceptionMapper
    public Response away(RegionAway away, HttpServerRequest request) {
        String detail = "reservations are kept in the region's Redis, which does not answer; try again";
        return response(Problem.of(ErrorCode.REGION_AWAY, detail), request)
                .header(HttpHeaders.RETRY_AFTER, 1)
                .build();
    }

    @ServerExceptionMapper
    public Response reused(RequestIdReused reused, HttpServerRequest request) {
        return response(CheckCall.refusal(reused, ""), request).build();
    }

    /** What nobody foresaw: said in the log and not to the caller. */
    @ServerExceptionMapper
    public Response failed(Throwable failure, HttpServerRequest request) {
        if (failure.getCause() instanceof RegionAway away) {
            return away(away, request);
        }
        if (failure.getCause() instanceof RequestIdReused reused) {
            return reused(reused, request);
        }
        LOG.errorf(failure, "a call failed: %s %s", request.method(), Shown.text(String.valueOf(request.path())));
        return response(Problem.of(ErrorCode.INTERNAL, "the limiter failed; its log says why"), request)
                .build();
    }

    private static Response.ResponseBuilder response(Problem problem, HttpServerRequest request) {
        Answer answer = problem.answer(String.valueOf(request.path()));
        Response.ResponseBuilder response =
                Response.status(answer.status()).type(Problem.MEDIA_TYPE).entity(answer.body());
        return problem.code() == ErrorCode.BODY_TOO_LARGE && FrontDoor.closesAfter(request)
                ? response.header("Connection", "close")
                : response;
    }

    private static String allowed(String path) {
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
