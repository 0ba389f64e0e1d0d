package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonParser;
import io.meridian.service.http.ProblemException;
import java.io.IOException;

/** The one field of a body like {@code {"cost": 3}}. */
final class NumberField {
    private static final long ABSENT = Long.MIN_VALUE;

    private NumberField() {}

    static long read(JsonParser json, String field, long min, long max) throws IOException {
        boolean seen = false;
        long number = ABSENT;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (!name.equals(field)) {
                throw Values.unknown(name);
            }
            if (seen) {
                throw Values.duplicate(name);
            }
            seen = true;
            number = Values.nextNumber(json, "", field, ABSENT);
        }
        if (number < min || number > max) {
            String got = number == ABSENT ? "nothing" : Long.toString(number);
            throw ProblemException.of(ErrorCode.INVALID, field, got, "must be from " + min + " to " + max);
        }
        return number;
    }
}
