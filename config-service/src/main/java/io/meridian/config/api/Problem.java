package io.meridian.config.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.access.Shown;
import io.meridian.model.validation.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A problem document of RFC 9457: which error, what about it, and every field that is wrong.
 *
 * @param status the code's own but for what the framework refuses in ways of its own
 */
record Problem(ErrorCode code, int status, String detail, List<FieldError> errors) {
    static final String MEDIA_TYPE = "application/problem+json";

    /** More errors than this are not listed: a body can hold thousands. */
    static final int ERRORS_MAX = 100;

    private static final int ERRORS_IN_DETAIL = 5;

    Problem {
        detail = Shown.text(detail);
        errors = List.copyOf(errors.size() <= ERRORS_MAX ? errors : errors.subList(0, ERRORS_MAX));
    }

    static Problem of(ErrorCode code, String detail) {
        return new Problem(code, code.status(), detail, List.of());
    }

    static Problem of(ErrorCode code, List<FieldError> errors) {
        String detail =
                errors.stream().limit(ERRORS_IN_DETAIL).map(FieldError::toString).collect(Collectors.joining("; "));
        return new Problem(code, code.status(), detail, errors);
    }

    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("type", code.type())
                .put("title", code.title())
                .put("status", status)
                .put("detail", detail);
        if (!errors.isEmpty()) {
            ArrayNode list = json.putArray("errors");
            errors.forEach(error -> list.addObject()
                    .put("field", Shown.text(error.field()))
                    .put("value", Shown.text(error.value()))
                    .put("rule", Shown.text(error.rule())));
        }
        return json;
    }
}
