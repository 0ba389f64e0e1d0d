package io.meridian.config.api;

import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.DatabaseUnavailableException.OutcomeUnknown;
import io.meridian.config.database.DatabaseUnavailableException.QueryTooLong;
import io.meridian.config.imports.ListImporter.ImportFailedException;
import io.meridian.config.proposals.ProposalRefusedException;
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
class AdminProblemMapper extends ProblemMapping {
    private static final Logger LOG = Logger.getLogger(AdminProblemMapper.class);
    private static final Map<String, String> SOON = Map.of(HttpHeaders.RETRY_AFTER, "1");

    AdminProblemMapper() {
        super("config service");
    }

    @ServerExceptionMapper({Throwable.class, WebApplicationException.class})
    public Response map(Throwable failure, HttpServerRequest request) {
        return response(failure, request);
    }

    @Override
    protected ProblemCode code(int status) {
        return switch (status) {
            case 404 -> AdminErrorCode.NOT_FOUND;
            case 405 -> AdminErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> AdminErrorCode.NOT_ACCEPTABLE;
            case 413 -> AdminErrorCode.BODY_TOO_LARGE;
            case 415 -> AdminErrorCode.UNSUPPORTED_BODY;
            case 422 -> AdminErrorCode.INVALID;
            case 500 -> AdminErrorCode.INTERNAL;
            default -> AdminErrorCode.REFUSED;
        };
    }

    @Override
    protected Optional<ProblemException> refusal(Throwable failure, HttpServerRequest request) {
        String reason = String.valueOf(failure.getMessage());
        if (failure instanceof MalformedException malformed) {
            boolean known = malformed.unknownFields().isEmpty();
            return Optional.of(
                    Refusal.of(known ? AdminErrorCode.MALFORMED_BODY : AdminErrorCode.UNKNOWN_FIELD, reason));
        }
        if (failure instanceof DatabaseUnavailableException unavailable) {
            LOG.warnf("a call waited for PostgreSQL in vain: method=%s, reason=%s", request.method(), reason);
            return Optional.of(Refusal.of(Problem.of(code(unavailable), reason), SOON));
        }
        if (failure instanceof ProposalRefusedException refused) {
            return Optional.of(refusal(refused, reason));
        }
        return failure instanceof ImportFailedException
                ? Optional.of(Refusal.of(Problem.of(AdminErrorCode.IMPORT_BROKEN, reason), SOON))
                : Optional.empty();
    }

    private static ProblemException refusal(ProposalRefusedException refused, String reason) {
        AdminErrorCode code =
                switch (refused.reason()) {
                    case NOT_FOUND -> AdminErrorCode.NOT_FOUND;
                    case FORBIDDEN -> AdminErrorCode.FORBIDDEN;
                    case CONFLICT -> AdminErrorCode.CONFLICT;
                };
        return Refusal.of(
                refused.conflicts().isEmpty() ? Problem.of(code, reason) : Problem.of(code, refused.conflicts()),
                Map.of());
    }

    private static AdminErrorCode code(DatabaseUnavailableException unavailable) {
        if (unavailable instanceof OutcomeUnknown) {
            return AdminErrorCode.OUTCOME_UNKNOWN;
        }
        return unavailable instanceof QueryTooLong ? AdminErrorCode.TOO_LONG : AdminErrorCode.DATABASE_AWAY;
    }
}
