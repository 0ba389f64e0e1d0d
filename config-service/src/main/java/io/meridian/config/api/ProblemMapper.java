package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Shown;
import io.meridian.config.imports.ImportBroken;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.OutcomeUnknown;
import io.meridian.config.store.QueryTooLong;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.MalformedException;
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
    private static final String SOON = "1";

    @ServerExceptionMapper
    public Response refused(Refusal refusal, HttpServerRequest request) {
        ObjectNode problem = refusal.problem().toJson();
        refusal.current().ifPresent(current -> problem.set("current", current));
        Response.ResponseBuilder response = response(refusal.problem().status(), problem, request);
        refusal.headers().forEach(response::header);
        return response.build();
    }

    @ServerExceptionMapper
    public Response invalid(ValidationException invalid, HttpServerRequest request) {
        return response(Problem.of(ErrorCode.INVALID, invalid.errors()), request)
                .build();
    }

    @ServerExceptionMapper
    public Response malformed(MalformedException malformed, HttpServerRequest request) {
        ErrorCode code = malformed.unknownFields().isEmpty() ? ErrorCode.MALFORMED_BODY : ErrorCode.UNKNOWN_FIELD;
        return response(Problem.of(code, Shown.text(String.valueOf(malformed.getMessage()))), request)
                .build();
    }

    @ServerExceptionMapper
    public Response away(DatabaseAway away, HttpServerRequest request) {
        ErrorCode code = ErrorCode.DATABASE_AWAY;
        if (away instanceof OutcomeUnknown) {
            code = ErrorCode.OUTCOME_UNKNOWN;
        } else if (away instanceof QueryTooLong) {
            code = ErrorCode.TOO_LONG;
        }
        LOG.warnf("a call waited for PostgreSQL in vain: method=%s, reason=%s", request.method(), away.getMessage());
        return response(Problem.of(code, String.valueOf(away.getMessage())), request)
                .header(HttpHeaders.RETRY_AFTER, SOON)
                .build();
    }

    @ServerExceptionMapper
    public Response broken(ImportBroken broken, HttpServerRequest request) {
        return response(Problem.of(ErrorCode.IMPORT_BROKEN, String.valueOf(broken.getMessage())), request)
                .header(HttpHeaders.RETRY_AFTER, SOON)
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
                        .build();
            case 406 ->
                response(Problem.of(ErrorCode.NOT_ACCEPTABLE, detail), request).build();
            case 413 ->
                response(Problem.of(ErrorCode.BODY_TOO_LARGE, detail), request).build();
            case 415 ->
                response(Problem.of(ErrorCode.UNSUPPORTED_BODY, detail), request)
                        .build();
            default ->
                status < 500
                        ? response(new Problem(ErrorCode.REFUSED, status, detail, List.of()), request)
                                .build()
                        : failed(refusal, request);
        };
    }

    /** What nobody foresaw: said in the log and not to the caller. */
    @ServerExceptionMapper
    public Response failed(Throwable failure, HttpServerRequest request) {
        LOG.errorf(failure, "a call failed: %s %s", request.method(), Shown.text(String.valueOf(request.path())));
        return response(Problem.of(ErrorCode.INTERNAL, "the config service failed; its log says why"), request)
                .build();
    }

    private static Response.ResponseBuilder response(Problem problem, HttpServerRequest request) {
        return response(problem.status(), problem.toJson(), request);
    }

    private static Response.ResponseBuilder response(int status, ObjectNode problem, HttpServerRequest request) {
        return Response.status(status)
                .type(Problem.MEDIA_TYPE)
                .entity(problem.put("instance", Shown.text(String.valueOf(request.path())))
                        .toString());
    }
}
