package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Set;

/** The fields of a JSON object, read with errors that name field and value. */
record Fields(JsonNode node) {
    Fields {
        if (!node.isObject()) {
            throw new IllegalArgumentException("body must be an object, got " + node);
        }
    }

    String text(String field) {
        JsonNode value = node.path(field);
        if (value.isMissingNode() || value.isNull()) {
            throw new IllegalArgumentException("missing required field: " + field);
        }
        return text(field, "");
    }

    String text(String field, String otherwise) {
        JsonNode value = node.path(field);
        require(field, value, value.isTextual(), "a string");
        return value.asText(otherwise);
    }

    boolean flag(String field, boolean otherwise) {
        JsonNode value = node.path(field);
        require(field, value, value.isBoolean(), "true or false");
        return value.asBoolean(otherwise);
    }

    double number(String field, double otherwise) {
        JsonNode value = node.path(field);
        require(field, value, value.isNumber(), "a number");
        return value.asDouble(otherwise);
    }

    long wholeNumber(String field, long otherwise) {
        JsonNode value = node.path(field);
        require(field, value, value.isIntegralNumber() && value.canConvertToLong(), "a whole number");
        return value.asLong(otherwise);
    }

    void requireSame(String field, String existing) {
        String value = text(field, existing);
        if (!value.equals(existing)) {
            throw new IllegalArgumentException(field + " must stay " + existing + ", got " + value);
        }
    }

    /** Refuses a misspelt field, which would otherwise be a fault that silently does not happen. */
    void requireOnly(Set<String> known) {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown field " + name + ", got " + node.get(name));
            }
        }
    }

    private static void require(String field, JsonNode value, boolean fits, String kind) {
        if (!fits && !value.isMissingNode() && !value.isNull()) {
            throw new IllegalArgumentException(field + " must be " + kind + ", got " + value);
        }
    }
}
