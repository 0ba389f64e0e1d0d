package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Readers of single values of a body, each refused by its field's name if it is of the wrong type. Null is absent. */
final class JsonValues {
    private JsonValues() {}

    /** The text that follows, or null if there is a null. */
    static @Nullable String nextText(JsonParser json, String path, String field) throws IOException {
        String text = json.nextTextValue();
        if (text != null || json.currentToken() == JsonToken.VALUE_NULL) {
            return text;
        }
        throw wrongType(json, path + field, "must be a text");
    }

    /** The whole number that follows, or {@code absent} if there is a null. */
    static long nextNumber(JsonParser json, String path, String field, long absent) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return absent;
        }
        if (token == JsonToken.VALUE_NUMBER_INT && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            return json.getLongValue();
        }
        throw wrongType(json, path + field, "must be a whole number of at most 64 bits");
    }

    static ProblemException wrongType(JsonParser json, String field, String rule) throws IOException {
        return ProblemException.of(ErrorCode.WRONG_TYPE, field, shown(json), rule);
    }

    static ProblemException unknown(String field) {
        return ProblemException.of(ErrorCode.UNKNOWN_FIELD, "field " + Redaction.value(field) + " does not exist");
    }

    static ProblemException duplicate(String field) {
        return ProblemException.of(ErrorCode.DUPLICATE_FIELD, "field " + Redaction.value(field) + " is given twice");
    }

    /** The value at hand as an answer repeats it. */
    static String shown(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return "an object";
        }
        return token == JsonToken.START_ARRAY ? "a list" : Redaction.value(String.valueOf(json.getText()));
    }

    static String position(JsonParser json) {
        return position(json.currentTokenLocation());
    }

    static String reason(IOException malformed) {
        if (malformed instanceof JsonProcessingException where) {
            JsonLocation location = where.getLocation();
            return Redaction.value(where.getOriginalMessage()) + (location == null ? "" : position(location));
        }
        return "it is in no encoding of Unicode";
    }

    private static String position(JsonLocation at) {
        return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Reader of a body of one number, like {@code {"cost": 3}}. */
    static final class NumberField {
        static final long ABSENT = Long.MIN_VALUE;

        private NumberField() {}

        static long read(JsonParser json, String field, long min, long max) throws IOException {
            boolean seen = false;
            long number = ABSENT;
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (!name.equals(field)) {
                    throw JsonValues.unknown(name);
                }
                if (seen) {
                    throw JsonValues.duplicate(name);
                }
                seen = true;
                number = JsonValues.nextNumber(json, "", field, ABSENT);
            }
            if (number < min || number > max) {
                String got = number == ABSENT ? "nothing" : Long.toString(number);
                throw ProblemException.of(ErrorCode.INVALID, field, got, "must be from " + min + " to " + max);
            }
            return number;
        }
    }
}
