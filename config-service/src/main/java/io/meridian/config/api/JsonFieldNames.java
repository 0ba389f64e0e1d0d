package io.meridian.config.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Refuses what is no object, and fields that do not exist, by name. */
final class JsonFieldNames {
    private JsonFieldNames() {}

    static void require(JsonNode document, String what, Set<String> known) {
        if (!document.isObject()) {
            throw Refusal.of(ErrorCode.MALFORMED_BODY, what + " must be an object, got " + document.getNodeType());
        }
        List<String> unknown = new ArrayList<>();
        document.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                unknown.add(name);
            }
        });
        if (!unknown.isEmpty()) {
            throw Refusal.of(ErrorCode.UNKNOWN_FIELD, what + " has no field " + String.join(", ", unknown));
        }
    }
}
