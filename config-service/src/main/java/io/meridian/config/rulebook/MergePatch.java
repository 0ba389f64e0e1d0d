package io.meridian.config.rulebook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** RFC 7396: objects merge, null removes, all else replaces. */
final class MergePatch {
    private MergePatch() {}

    static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode merged =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        changes.properties().forEach(change -> {
            if (change.getValue().isNull()) {
                merged.remove(change.getKey());
            } else {
                JsonNode before = merged.path(change.getKey());
                merged.set(change.getKey(), apply(before, change.getValue()));
            }
        });
        return merged;
    }
}
