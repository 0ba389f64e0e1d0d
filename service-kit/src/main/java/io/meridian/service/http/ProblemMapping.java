package io.meridian.service.http;

import io.meridian.model.validation.ValidationException;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Mapping of whatever is thrown in a call to a problem document. A service adds its codes and its own exceptions. */
public abstract class ProblemMapping {
    private static final int INVALID = 422;
    private static final int INTERNAL = 500;

    private final Logger log = Logger.getLogger(getClass());
    private final String service;

    /** @param service as callers are told of it */
    protected ProblemMapping(String service) {
        this.service = service;
    }

    /** The code for what the framework refuses with this status; for 422 that of values that break a rule, for 500 that of a failure. */
    protected abstract ProblemCode code(int status);

    /** Problem that a caller gets for an exception of this service; empty if the exception is unexpected. */
    protected abstract Optional<ProblemException> refusal(Throwable failure, HttpServerRequest request);

    /** Headers that depend on the call, besides those of the exception. */
    protected Map<String, String> headers(Problem problem, HttpServerRequest request) {
        return Map.of();
    }

    /** Answer of quarkus-rest to a call that failed. */
    protected final Response response(Throwable failure, HttpServerRequest request) {
        ProblemException refused = refused(failure, request);
        Problem problem = refused.problem();
        Response.ResponseBuilder response = Response.status(problem.status())
                .type(Problem.MEDIA_TYPE)
                .entity(problem.document(String.valueOf(request.path()), refused.members()));
        refused.headers().forEach(response::header);
        headers(problem, request).forEach(response::header);
        return response.build();
    }

    /** Refusal that a failure comes to. Logs a failure that is none of the service's refusals. */
    protected final ProblemException refused(Throwable failure, HttpServerRequest request) {
        if (failure instanceof ProblemException refused) {
            return refused;
        }
        Optional<ProblemException> known = refusal(failure, request);
        if (known.isPresent()) {
            return known.get();
        }
        if (failure instanceof ValidationException invalid) {
            return new ProblemException(Problem.of(code(INVALID), invalid.errors()));
        }
        String call = request.method() + " " + Redaction.text(String.valueOf(request.path()));
        if (failure instanceof WebApplicationException framework
                && framework.getResponse().getStatus() < INTERNAL) {
            int status = framework.getResponse().getStatus();
            return new ProblemException(new Problem(code(status), status, call, List.of()));
        }
        log.errorf(failure, "a call failed: %s", call);
        return ProblemException.of(code(INTERNAL), "the " + service + " failed; its log says why");
    }
}
