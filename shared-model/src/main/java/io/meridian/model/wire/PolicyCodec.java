package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;

/**
 * Policies as records: their JSON with the version of the format first. Unlike the API, reading takes no offence at fields
 * it does not know, so that during an upgrade an older process goes on with what it does know.
 */
public final class PolicyCodec {
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    private PolicyCodec() {}

    public static String encode(Policy policy) {
        ObjectNode record = JsonNodeFactory.instance.objectNode().put(FORMAT, VERSION);
        return PolicyWriter.write(policy, record).toString();
    }

    public static Policy decode(String text) {
        JsonNode record = PolicyJson.tree(text);
        int version = record.path(FORMAT).asInt(0);
        if (version < 1 || version > VERSION) {
            throw new WireException("policy format must be from 1 to " + VERSION + ", got " + record.path(FORMAT));
        }
        return PolicyReader.read(record, false);
    }
}
