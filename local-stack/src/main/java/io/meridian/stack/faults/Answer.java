package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;

/** What the API answers: a status and, unless there is nothing to say, a body. */
public record Answer(int status, Optional<JsonNode> body) {
    public static Answer ok(JsonNode body) {
        return new Answer(200, Optional.of(body));
    }

    static Answer created(JsonNode body) {
        return new Answer(201, Optional.of(body));
    }

    static Answer done() {
        return new Answer(204, Optional.empty());
    }

    public static Answer error(int status, String message) {
        return new Answer(
                status,
                Optional.of(JsonNodeFactory.instance
                        .objectNode()
                        .put("error", message)
                        .put("status", status)));
    }
}
