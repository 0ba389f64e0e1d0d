package io.meridian.model.validation;

import java.util.List;
import java.util.stream.Collectors;

/** Invalid input, with an error for each field that is wrong. */
public final class ValidationException extends IllegalArgumentException {
    private final transient List<FieldError> errors;

    public ValidationException(List<FieldError> errors) {
        super(errors.stream().map(FieldError::toString).collect(Collectors.joining("; ")));
        this.errors = List.copyOf(errors);
    }

    public List<FieldError> errors() {
        return errors;
    }
}
