package io.meridian.model.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects what is wrong, so that one answer names every violated field. */
public final class Rules {
    private final List<Violation> violations = new ArrayList<>();

    public Rules require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            violations.add(new Violation(field, String.valueOf(value), rule));
        }
        return this;
    }

    /** Builds something that validates itself; what it refuses is kept, and {@code otherwise} stands in for it. */
    public <T> T attempt(Supplier<T> builder, T otherwise) {
        try {
            return builder.get();
        } catch (InvalidException invalid) {
            violations.addAll(invalid.violations());
            return otherwise;
        }
    }

    /** The same for the value of one field, under whose name the caller knows it. */
    public <T> T attempt(String field, Supplier<T> parser, T otherwise) {
        try {
            return parser.get();
        } catch (InvalidException invalid) {
            invalid.violations().forEach(v -> violations.add(new Violation(field, v.value(), v.rule())));
            return otherwise;
        }
    }

    public void throwIfBroken() {
        if (!violations.isEmpty()) {
            throw new InvalidException(violations);
        }
    }

    /** Refuses one value outright. */
    public static InvalidException broken(String field, Object value, String rule) {
        return new InvalidException(List.of(new Violation(field, String.valueOf(value), rule)));
    }
}
