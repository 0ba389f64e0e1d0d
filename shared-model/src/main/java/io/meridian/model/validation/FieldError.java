package io.meridian.model.validation;

/** Rule that one field breaks: {@code limit must be positive, got 0}. */
public record FieldError(String field, String value, String rule) {
    private static final int VALUE_MAX = 100;

    public FieldError {
        value = value.codePointCount(0, value.length()) <= VALUE_MAX
                ? value
                : value.substring(0, value.offsetByCodePoints(0, VALUE_MAX)) + "…";
    }

    @Override
    public String toString() {
        return field + " " + rule + ", got " + value;
    }
}
