package io.meridian.model.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collector of field errors, so that one answer names every field that is wrong. */
public final class Validator {
    private final List<FieldError> errors = new ArrayList<>();

    public Validator require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            errors.add(new FieldError(field, String.valueOf(value), rule));
        }
        return this;
    }

    /** Builds something that validates itself; what it refuses is kept, and {@code otherwise} stands in for it. */
    public <T> T attempt(Supplier<T> builder, T otherwise) {
        try {
            return builder.get();
        } catch (ValidationException invalid) {
            errors.addAll(invalid.errors());
            return otherwise;
        }
    }

    /** The same for the value of one field, under whose name the caller knows it. */
    public <T> T attempt(String field, Supplier<T> parser, T otherwise) {
        try {
            return parser.get();
        } catch (ValidationException invalid) {
            invalid.errors().forEach(v -> errors.add(new FieldError(field, v.value(), v.rule())));
            return otherwise;
        }
    }

    /** The rule for names in records. */
    public Validator requireName(String field, String value, int max) {
        return require(
                !value.isEmpty() && value.length() <= max && isPlain(value),
                field,
                value,
                "must have 1 to " + max + " characters and no control characters");
    }

    public void throwIfInvalid() {
        if (!errors.isEmpty()) {
            throw new ValidationException(errors);
        }
    }

    /** Refuses one value outright. */
    public static ValidationException invalid(String field, Object value, String rule) {
        return new ValidationException(List.of(new FieldError(field, String.valueOf(value), rule)));
    }

    /**
     * Whether a text has no control characters and no half of a surrogate pair, which has no UTF-8 form: encoders replace
     * it, and two keys would become one.
     */
    public static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** The same with line breaks and tabs allowed: prose. */
    public static boolean isProse(String text) {
        return isPlain(text.replace('\n', ' ').replace('\t', ' '));
    }
}
