package io.meridian.model.wire;

import io.meridian.model.validation.Validator;

/** What the names in records may be. */
final class WireNames {
    private WireNames() {}

    static void check(Validator rules, String field, String value, int max) {
        rules.require(
                !value.isEmpty() && value.length() <= max && Validator.isPlain(value),
                field,
                value,
                "must have 1 to " + max + " characters and no control characters");
    }
}
