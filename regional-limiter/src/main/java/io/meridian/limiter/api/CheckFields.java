package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one check, read token by token in whatever order they come. A field that does not exist, comes twice or has
 * the wrong type is refused at once; values that break a rule are refused all together.
 */
final class CheckFields {
    private static final String ID_RULE = "must be text of 1 to " + CheckCall.REQUEST_ID_MAX + " characters";
    private static final String TTL_RULE = "must be from 1 to " + CheckCall.TTL_MS_MAX;
    private static final String POLICIES_RULE =
            "must be a list of 1 to " + Check.POLICIES_MAX + " ids of policies, or left out for all";
    private static final Duration TTL_DEFAULT = Duration.ofMillis(CheckCall.TTL_MS_DEFAULT);

    private final JsonParser json;
    private final String path;
    private final boolean reserving;
    private int seen;
    private Map<String, String> attributes = Map.of();
    private String endpoint = "";
    private String method = "";
    private Map<String, String> headers = Map.of();
    private long cost = 1;
    private @Nullable String requestId;
    private List<String> policies = List.of();
    private long ttlMs = CheckCall.TTL_MS_DEFAULT;

    /**
     * @param path what to put before a field's name to name it from the top
     * @param reserving whether {@code ttl_ms} is a field
     */
    CheckFields(JsonParser json, String path, boolean reserving) {
        this.json = json;
        this.path = path;
        this.reserving = reserving;
    }

    /** Reads the object that has just begun, to its end. */
    void read() throws IOException {
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            switch (name) {
                case "attributes" -> attributes = once(0, name).texts(name);
                case "endpoint" -> endpoint = once(1, name).text(name);
                case "method" -> method = once(2, name).text(name);
                case "headers" -> headers = once(3, name).texts(name);
                case "cost" -> cost = once(4, name).number(name, 1);
                case "request_id" -> requestId = Values.nextText(once(5, name).json, path, name);
                case "ttl_ms" -> ttlMs = once(6, name).number(name, CheckCall.TTL_MS_DEFAULT);
                case "policies" -> policies = once(7, name).list(name);
                default -> throw Values.unknown(path + name);
            }
        }
    }

    /** What the fields come to. */
    CheckCall call() {
        boolean idFits = requestId == null || isRequestId(requestId);
        boolean ttlFits = ttlMs >= 1 && ttlMs <= CheckCall.TTL_MS_MAX;
        List<FieldError> broken = List.of();
        try {
            Check check = new Check(attributes, endpoint, method, headers, "", cost, policies);
            if (idFits && ttlFits) {
                boolean usual = ttlMs == CheckCall.TTL_MS_DEFAULT;
                return new CheckCall(check, requestId, usual ? TTL_DEFAULT : Duration.ofMillis(ttlMs));
            }
        } catch (ValidationException invalid) {
            broken = invalid.errors();
        }
        throw refused(broken, idFits, ttlFits);
    }

    private Refusal refused(List<FieldError> ofCheck, boolean idFits, boolean ttlFits) {
        List<FieldError> broken = new ArrayList<>();
        ofCheck.forEach(each -> broken.add(new FieldError(path + each.field(), each.value(), each.rule())));
        if (!idFits) {
            broken.add(new FieldError(path + "request_id", String.valueOf(requestId), ID_RULE));
        }
        if (!ttlFits) {
            broken.add(new FieldError(path + "ttl_ms", Long.toString(ttlMs), TTL_RULE));
        }
        return new Refusal(Problem.of(ErrorCode.INVALID, broken));
    }

    private static boolean isRequestId(String text) {
        return !text.isEmpty() && text.length() <= CheckCall.REQUEST_ID_MAX && Validator.isPlain(text);
    }

    private CheckFields once(int bit, String name) {
        if (bit == 6 && !reserving) {
            throw Values.unknown(path + name);
        }
        if ((seen & 1 << bit) != 0) {
            throw Values.duplicate(path + name);
        }
        seen |= 1 << bit;
        return this;
    }

    private String text(String field) throws IOException {
        String text = Values.nextText(json, path, field);
        return text == null ? "" : text;
    }

    private long number(String field, long absent) throws IOException {
        return Values.nextNumber(json, path, field, absent);
    }

    /** An empty list would mean nothing or everything, so it is refused. */
    private List<String> list(String field) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return List.of();
        }
        if (token != JsonToken.START_ARRAY) {
            throw Values.wrongType(json, path + field, POLICIES_RULE);
        }
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (texts.size() == Check.POLICIES_MAX) {
                throw Refusal.of(ErrorCode.INVALID, path + field, "more than " + Check.POLICIES_MAX, POLICIES_RULE);
            }
            if (json.currentToken() != JsonToken.VALUE_STRING) {
                throw Values.wrongType(json, path + field + "[" + texts.size() + "]", "must be a text");
            }
            texts.add(json.getText());
        }
        if (texts.isEmpty()) {
            throw Refusal.of(ErrorCode.INVALID, path + field, "none", POLICIES_RULE);
        }
        return texts;
    }

    private Map<String, String> texts(String field) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return Map.of();
        }
        if (token != JsonToken.START_OBJECT) {
            throw Values.wrongType(json, path + field, "must be an object of texts");
        }
        Map<String, String> texts = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            String text = json.nextTextValue();
            if (text == null && json.currentToken() != JsonToken.VALUE_NULL) {
                throw Values.wrongType(json, path + field + "." + name, "must be a text");
            }
            if (text != null && texts.put(name, text) != null) {
                throw Values.duplicate(path + field + "." + name);
            }
        }
        return texts;
    }
}
