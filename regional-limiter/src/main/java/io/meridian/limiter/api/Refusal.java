package io.meridian.limiter.api;

import io.meridian.model.validation.FieldError;
import java.io.Serial;
import java.util.List;

/** Bad input, on its way to becoming a problem document. Carries no stack trace: a flood of it is normal. */
final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    Refusal(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    static Refusal of(ErrorCode code, String detail) {
        return new Refusal(Problem.of(code, detail));
    }

    static Refusal of(ErrorCode code, String field, String value, String rule) {
        return new Refusal(Problem.of(code, List.of(new FieldError(field, value, rule))));
    }

    Problem problem() {
        return problem;
    }
}
