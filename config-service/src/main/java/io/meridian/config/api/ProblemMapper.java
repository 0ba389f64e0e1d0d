package io.meridian.config.api;

import io.meridian.config.imports.ImportBroken;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.OutcomeUnknown;
import io.meridian.config.store.QueryTooLong;
import io.meridian.model.wire.MalformedException;
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
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Mapping of whatever is thrown in a call of the admin API to a problem document. */
class ProblemMapper extends ProblemMapping {
    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);
    private static final Map<String, String> SOON = Map.of(HttpHeaders.RETRY_AFTER, "1");

    ProblemMapper() {
        super("config service");
    }

    @ServerExceptionMapper({Throwable.class, WebApplicationException.class})
    public Response map(Throwable failure, HttpServerRequest request) {
        return response(failure, request);
    }

    @Override
    protected ProblemCode code(int status) {
        return switch (status) {
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> ErrorCode.NOT_ACCEPTABLE;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            case 415 -> ErrorCode.UNSUPPORTED_BODY;
            case 422 -> ErrorCode.INVALID;
            case 500 -> ErrorCode.INTERNAL;
            default -> ErrorCode.REFUSED;
        };
    }

    @Override
    protected Optional<ProblemException> refusal(Throwable failure, HttpServerRequest request) {
        String reason = String.valueOf(failure.getMessage());
        if (failure instanceof MalformedException malformed) {
            boolean known = malformed.unknownFields().isEmpty();
            return Optional.of(Refusal.of(known ? ErrorCode.MALFORMED_BODY : ErrorCode.UNKNOWN_FIELD, reason));
        }
        if (failure instanceof DatabaseAway away) {
            LOG.warnf("a call waited for PostgreSQL in vain: method=%s, reason=%s", request.method(), reason);
            return Optional.of(Refusal.of(Problem.of(code(away), reason), SOON));
        }
        return failure instanceof ImportBroken
                ? Optional.of(Refusal.of(Problem.of(ErrorCode.IMPORT_BROKEN, reason), SOON))
                : Optional.empty();
    }

    private static ErrorCode code(DatabaseAway away) {
        if (away instanceof OutcomeUnknown) {
            return ErrorCode.OUTCOME_UNKNOWN;
        }
        return away instanceof QueryTooLong ? ErrorCode.TOO_LONG : ErrorCode.DATABASE_AWAY;
    }
}
