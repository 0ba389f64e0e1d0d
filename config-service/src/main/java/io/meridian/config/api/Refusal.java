package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.FieldError;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Refusal of a call of this API. */
final class Refusal extends ProblemException {
    @Serial
    private static final long serialVersionUID = 1;

    private Refusal(Problem problem, Map<String, String> headers, Map<String, ObjectNode> members) {
        super(problem, headers, members);
    }

    static Refusal of(AdminErrorCode code, String detail) {
        return of(Problem.of(code, detail), Map.of());
    }

    static Refusal of(AdminErrorCode code, String field, String value, String rule) {
        return of(Problem.of(code, List.of(new FieldError(field, value, rule))), Map.of());
    }

    static Refusal of(Problem problem, Map<String, String> headers) {
        return of(problem, headers, Optional.empty());
    }

    /** @param current what stands in the way, as it is now */
    static Refusal of(Problem problem, Map<String, String> headers, Optional<ObjectNode> current) {
        return new Refusal(
                problem, headers, current.map(each -> Map.of("current", each)).orElse(Map.of()));
    }
}
