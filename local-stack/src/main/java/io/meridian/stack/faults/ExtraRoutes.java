package io.meridian.stack.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;

/** Routes of the API beside those of the proxies: a stack has more to break than links. */
public interface ExtraRoutes {
    /** Nothing but links. */
    ExtraRoutes NONE = new ExtraRoutes() {
        @Override
        public boolean serve(List<String> path) {
            return false;
        }

        @Override
        public ApiAnswer answer(String method, List<String> path) {
            throw new IllegalStateException("no route for " + method + " " + path);
        }
    };

    /** Whether this path, in its segments, is one of these. */
    boolean serve(List<String> path);

    /**
     * Does what a request for such a path asks for.
     *
     * @throws FaultRefusal when it cannot be met; the status is its own
     */
    ApiAnswer answer(String method, List<String> path);

    /** Answer of the API: a status and mostly a body. */
    public record ApiAnswer(int status, Optional<JsonNode> body) {
        public static ApiAnswer ok(JsonNode body) {
            return new ApiAnswer(200, Optional.of(body));
        }

        static ApiAnswer created(JsonNode body) {
            return new ApiAnswer(201, Optional.of(body));
        }

        static ApiAnswer done() {
            return new ApiAnswer(204, Optional.empty());
        }

        public static ApiAnswer error(int status, String message) {
            return new ApiAnswer(
                    status,
                    Optional.of(JsonNodeFactory.instance
                            .objectNode()
                            .put("error", message)
                            .put("status", status)));
        }
    }
}
