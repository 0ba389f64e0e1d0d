package io.meridian.chaos.drill.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.chaos.drill.history.Subject;

/** How a subject is asked about: one endpoint of its own, which no policy but its own is meant for. */
public final class CheckBody {
    private CheckBody() {}

    public static String endpoint(Subject subject) {
        return "/drill/" + subject.policy();
    }

    /** The name of what its key is made of. */
    public static String attribute(Subject subject) {
        return subject.key().substring(0, subject.key().indexOf('='));
    }

    private static String value(String key) {
        return key.substring(key.indexOf('=') + 1);
    }

    /** A check of cost 1, charged as often as it is sent. */
    public static String of(Subject subject) {
        return check(subject, subject.key()).toString();
    }

    /** A check of cost 1 on one of its keys, charged once however often it is sent. */
    static String of(Subject subject, String key, String requestId) {
        return check(subject, key).put("request_id", requestId).toString();
    }

    private static ObjectNode check(Subject subject, String key) {
        ObjectNode check = JsonNodeFactory.instance
                .objectNode()
                .put("endpoint", endpoint(subject))
                .put("method", "GET");
        check.putObject("attributes").put(attribute(subject), value(key));
        return check;
    }

    static String statusQuery(Subject subject) {
        return "?%s=%s&endpoint=%s&method=GET".formatted(attribute(subject), value(subject.key()), endpoint(subject));
    }
}
