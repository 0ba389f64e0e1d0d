package io.meridian.service.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.model.validation.FieldError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Problem document of RFC 9457: which error, what about it, and every field that is wrong.
 *
 * @param status the code's own but for what the framework refuses in ways of its own
 */
public record Problem(ProblemCode code, int status, String detail, List<FieldError> errors) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** More errors than this are not listed: a body can hold thousands. */
    static final int ERRORS_MAX = 100;

    private static final int ERRORS_IN_DETAIL = 5;
    /** Room for what is said of so many errors. */
    private static final int DETAIL_MAX = 2_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public Problem {
        detail = Redaction.text(detail, DETAIL_MAX);
        errors = List.copyOf(errors.size() <= ERRORS_MAX ? errors : errors.subList(0, ERRORS_MAX));
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, code.status(), detail, List.of());
    }

    public static Problem of(ProblemCode code, List<FieldError> errors) {
        StringBuilder detail = new StringBuilder();
        for (FieldError error : errors.subList(0, Math.min(errors.size(), ERRORS_IN_DETAIL))) {
            detail.append(detail.isEmpty() ? "" : "; ")
                    .append(Redaction.value(error.field()))
                    .append(' ')
                    .append(error.rule())
                    .append(", got ")
                    .append(Redaction.value(error.value()));
        }
        return new Problem(code, code.status(), detail.toString(), errors);
    }

    /** The members of a problem without errors, into an object that is open. */
    public static void members(JsonGenerator json, ProblemCode code, int status, String detail) throws IOException {
        json.writeFieldName("type");
        json.writeString(code.type());
        json.writeFieldName("title");
        json.writeString(code.title());
        json.writeNumberField("status", status);
        json.writeStringField("detail", detail);
    }

    /** Writes the members into an object that is open. */
    public void write(JsonGenerator json) throws IOException {
        members(json, code, status, detail);
        if (!errors.isEmpty()) {
            json.writeArrayFieldStart("errors");
            for (FieldError error : errors) {
                json.writeStartObject();
                json.writeStringField("field", Redaction.value(error.field()));
                json.writeStringField("value", Redaction.value(error.value()));
                json.writeStringField("rule", Redaction.value(error.rule()));
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    /**
     * The document as the body of an answer.
     *
     * @param path what was called, and so the {@code instance} of the problem
     * @param more members that the service adds
     */
    public byte[] document(String path, Map<String, ? extends JsonNode> more) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (JsonGenerator json = MAPPER.createGenerator(body)) {
            json.writeStartObject();
            write(json);
            for (Map.Entry<String, ? extends JsonNode> each : more.entrySet()) {
                json.writeObjectField(each.getKey(), each.getValue());
            }
            json.writeStringField("instance", Redaction.text(path));
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return body.toByteArray();
    }
}
