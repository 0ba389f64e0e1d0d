package io.meridian.limiter.http;

import io.meridian.model.match.Check;
import io.meridian.model.validation.ValidationException;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check as the query of a URL: {@code user_id=42&endpoint=/api&method=GET&header.x-plan=beta}. */
public final class StatusQuery {
    private static final String HEADER = "header.";

    private final Map<String, String> attributes = new HashMap<>();
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, String> reserved = new HashMap<>();

    private StatusQuery() {}

    public static StatusQuery read(@Nullable String query) {
        StatusQuery read = new StatusQuery();
        int start = 0;
        String text = query == null ? "" : query;
        while (start < text.length()) {
            int next = text.indexOf('&', start);
            int end = next < 0 ? text.length() : next;
            read.parameter(text.substring(start, end));
            start = end + 1;
        }
        return read;
    }

    private void parameter(String raw) {
        if (raw.isEmpty()) {
            return;
        }
        int equals = raw.indexOf('=');
        String name = decoded(equals < 0 ? raw : raw.substring(0, equals));
        String value = equals < 0 ? "" : decoded(raw.substring(equals + 1));
        String before =
                switch (name) {
                    case "endpoint", "method", "cost" -> reserved.put(name, value);
                    default ->
                        name.startsWith(HEADER)
                                ? headers.put(name.substring(HEADER.length()), value)
                                : attributes.put(name, value);
                };
        if (before != null) {
            throw ProblemException.of(
                    ErrorCode.DUPLICATE_FIELD, "parameter " + Redaction.value(name) + " is given twice");
        }
    }

    /** Whether the query has an attribute, and so asks about a client of its own choice. */
    public boolean namesClient() {
        return !attributes.isEmpty();
    }

    public Check check() {
        return check(attributes);
    }

    /** The check of a client with these attributes. */
    public Check check(Map<String, String> client) {
        String cost = reserved.getOrDefault("cost", "1");
        try {
            return new Check(
                    client,
                    reserved.getOrDefault("endpoint", ""),
                    reserved.getOrDefault("method", ""),
                    headers,
                    "",
                    Long.parseLong(cost));
        } catch (NumberFormatException notWhole) {
            throw ProblemException.of(ErrorCode.WRONG_TYPE, "cost", cost, "must be a whole number of at most 64 bits");
        } catch (ValidationException invalid) {
            throw new ProblemException(Problem.of(ErrorCode.INVALID, invalid.errors()));
        }
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.of(
                    ErrorCode.MALFORMED_QUERY, "the query must be percent-encoded, got " + Redaction.value(text));
        }
    }
}
