package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.service.http.ProblemException;
import java.io.IOException;
import java.util.List;

/** Reads the bodies of calls: one JSON object each, nothing before or after it. */
final class BodyReader {
    private final long bytesMax;

    BodyReader(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A check, or with {@code reserving} one that may also say for how long. */
    CheckCall check(byte[] body, boolean reserving) {
        return read(body, json -> {
            CheckFields fields = new CheckFields(json, "", reserving);
            fields.read();
            return fields.call();
        });
    }

    List<BatchItem> batch(byte[] body) {
        return read(body, BatchFields::read);
    }

    /** The one field of a body that has but one, a whole number within bounds. */
    long number(byte[] body, String field, long min, long max) {
        return read(body, json -> NumberField.read(json, field, min, max));
    }

    private <T> T read(byte[] body, Form<T> form) {
        if (body.length > bytesMax) {
            throw ProblemException.of(
                    ErrorCode.BODY_TOO_LARGE, "the body must have at most " + bytesMax + " bytes, got " + body.length);
        }
        try (JsonParser json = Json.parser(body)) {
            JsonToken first = json.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw ProblemException.of(
                        ErrorCode.MALFORMED_BODY,
                        "the body must be a JSON object, got " + (first == null ? "nothing" : Values.shown(json)));
            }
            T read = form.read(json);
            if (json.nextToken() != null) {
                throw ProblemException.of(
                        ErrorCode.MALFORMED_BODY,
                        "the body must end after its JSON object, got " + Values.shown(json) + Values.position(json));
            }
            return read;
        } catch (IOException malformed) {
            throw ProblemException.of(ErrorCode.MALFORMED_BODY, "the body must be JSON: " + Values.reason(malformed));
        }
    }

    /** What is made of an object whose first token was read. */
    private interface Form<T> {
        T read(JsonParser json) throws IOException;
    }
}
