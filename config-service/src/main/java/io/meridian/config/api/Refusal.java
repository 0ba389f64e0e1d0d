package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A call that is not done, as a problem document and what headers go with it. No stack: it is an answer, not a fault. */
final class Refusal extends RuntimeException {
    private final transient Problem problem;
    private final transient Map<String, String> headers;
    private final transient Optional<ObjectNode> current;

    private Refusal(Problem problem, Map<String, String> headers, Optional<ObjectNode> current) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = Map.copyOf(headers);
        this.current = current;
    }

    static Refusal of(ErrorCode code, String detail) {
        return of(Problem.of(code, detail), Map.of());
    }

    static Refusal of(ErrorCode code, String field, String value, String rule) {
        return of(Problem.of(code, List.of(new FieldError(field, value, rule))), Map.of());
    }

    static Refusal of(Problem problem, Map<String, String> headers) {
        return of(problem, headers, Optional.empty());
    }

    static Refusal of(Problem problem, Map<String, String> headers, Optional<ObjectNode> current) {
        return new Refusal(problem, headers, current);
    }

    Problem problem() {
        return problem;
    }

    Map<String, String> headers() {
        return headers;
    }

    /** What stands in the way, as it is now. */
    Optional<ObjectNode> current() {
        return current;
    }
}
