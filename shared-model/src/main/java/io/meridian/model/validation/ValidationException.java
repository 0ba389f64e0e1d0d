package io.meridian.model.validation;

import java.util.List;
import java.util.stream.Collectors;

/** Input that broke rules: all of them, each with its field and value. */
public final class ValidationException extends IllegalArgumentException {
    private final transient List<FieldError> violations;

    public ValidationException(List<FieldError> violations) {
        super(violations.stream().map(FieldError::toString).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    public List<FieldError> violations() {
        return violations;
    }
}
