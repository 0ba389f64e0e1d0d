package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.meridian.service.http.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one field of a batch. An element that is refused is passed over to its end, and the next one is read. */
final class BatchFields {
    static final int CHECKS_MAX = 100;
    private static final String CHECKS = "checks";
    private static final String COUNT = "must be a list of 1 to " + CHECKS_MAX + " checks";

    private BatchFields() {}

    static List<BatchItem> read(JsonParser json) throws IOException {
        List<BatchItem> items = null;
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            if (!name.equals(CHECKS)) {
                throw Values.unknown(name);
            }
            if (items != null) {
                throw Values.duplicate(name);
            }
            items = items(json);
        }
        if (items == null || items.isEmpty()) {
            throw ProblemException.of(ErrorCode.INVALID, CHECKS, items == null ? "nothing" : "none", COUNT);
        }
        return items;
    }

    private static @Nullable List<BatchItem> items(JsonParser json) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token != JsonToken.START_ARRAY) {
            throw Values.wrongType(json, CHECKS, COUNT);
        }
        JsonStreamContext list = json.getParsingContext();
        List<BatchItem> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (items.size() == CHECKS_MAX) {
                throw ProblemException.of(ErrorCode.INVALID, CHECKS, "more than " + CHECKS_MAX, COUNT);
            }
            items.add(item(json, list, "checks[" + items.size() + "]"));
        }
        return items;
    }

    private static BatchItem item(JsonParser json, JsonStreamContext list, String name) throws IOException {
        try {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw Values.wrongType(json, name, "must be a check");
            }
            CheckFields fields = new CheckFields(json, name + ".", false);
            fields.read();
            return new BatchItem.Legible(fields.call());
        } catch (ProblemException refusal) {
            while (json.getParsingContext() != list) {
                json.nextToken();
            }
            return new BatchItem.Illegible(refusal.problem());
        }
    }
}
