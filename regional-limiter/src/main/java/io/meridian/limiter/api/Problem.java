package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.meridian.model.validation.FieldError;
import java.io.IOException;
import java.util.List;

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
        errors = List.copyOf(errors.size() <= ERRORS_MAX ? errors : errors.subList(0, ERRORS_MAX));
    }

    static Problem of(ErrorCode code, String detail) {
        return new Problem(code, code.status(), detail, List.of());
    }

    static Problem of(ErrorCode code, List<FieldError> errors) {
        StringBuilder detail = new StringBuilder();
        for (FieldError error : errors.subList(0, Math.min(errors.size(), ERRORS_IN_DETAIL))) {
            detail.append(detail.isEmpty() ? "" : "; ")
                    .append(Shown.text(error.field()))
                    .append(' ')
                    .append(error.rule())
                    .append(", got ")
                    .append(Shown.text(error.value()));
        }
        return new Problem(code, code.status(), detail.toString(), errors);
    }

    /** Writes the members into an object that is open. */
    void write(JsonGenerator json) throws IOException {
        members(json, code, status, detail);
        if (!errors.isEmpty()) {
            json.writeArrayFieldStart("errors");
            for (FieldError error : errors) {
                json.writeStartObject();
                json.writeStringField("field", Shown.text(error.field()));
                json.writeStringField("value", Shown.text(error.value()));
                json.writeStringField("rule", error.rule());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    static void members(JsonGenerator json, ErrorCode code, int status, String detail) throws IOException {
        json.writeFieldName("type");
        json.writeString(code.type());
        json.writeFieldName("title");
        json.writeString(code.title());
        json.writeNumberField("status", status);
        json.writeStringField("detail", detail);
    }

    /** The document as the answer to a call of {@code path}. */
    Answer answer(String path) {
        byte[] body = Json.write(json -> {
            json.writeStartObject();
            write(json);
            json.writeStringField("instance", Shown.text(path));
            json.writeEndObject();
        });
        return new Answer(status, Answer.PROBLEM, new HeaderList(), body);
    }
}
