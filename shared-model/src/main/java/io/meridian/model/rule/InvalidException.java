package io.meridian.model.rule;

import java.util.List;
import java.util.stream.Collectors;

/** Input that broke rules: all of them, each with its field and value. */
public final class InvalidException extends IllegalArgumentException {
    private final transient List<Violation> violations;

    public InvalidException(List<Violation> violations) {
        super(violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    public List<Violation> violations() {
        return violations;
    }
}
