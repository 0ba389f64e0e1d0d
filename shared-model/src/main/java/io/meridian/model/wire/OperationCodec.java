package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Choice;
import io.meridian.model.rule.InvalidException;
import io.meridian.model.rule.Rules;
import java.util.ArrayList;
import java.util.List;

/**
 * Resets and refunds as JSON: they are few and small, and people read them when something is wrong. The version of the format
 * comes first; fields that a reader does not know are no offence.
 */
public final class OperationCodec {
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    private OperationCodec() {}

    public static String encode(OperationRecord operation) {
        ObjectNode record = JsonNodeFactory.instance
                .objectNode()
                .put(FORMAT, VERSION)
                .put("id", operation.id())
                .put("kind", Choice.text(operation.kind()))
                .put("caller", operation.caller())
                .put("region", operation.region())
                .put("request_id", operation.requestId())
                .put("at_micros", operation.atMicros())
                .put("outcome", Choice.text(operation.outcome()))
                .put("units", operation.units())
                .put("endpoint", operation.endpoint())
                .put("method", operation.method())
                .put("limits_total", operation.limitsTotal());
        ArrayNode limits = record.putArray("limits");
        for (OperationRecord.Counter each : operation.limits()) {
            limits.addObject()
                    .put("policy", each.policy())
                    .put("key", each.key())
                    .put("units", each.units());
        }
        return record.toString();
    }

    public static OperationRecord decode(String text) {
        try {
            JsonNode record = PolicyJson.tree(text);
            int version = record.path(FORMAT).asInt(0);
            if (version < 1 || version > VERSION) {
                throw new WireException(
                        "operation format must be from 1 to " + VERSION + ", got " + record.path(FORMAT));
            }
            return read(new JsonFields(record, "", new Rules(), new ArrayList<>()));
        } catch (InvalidException | MalformedException unreadable) {
            throw new WireException("operation: " + unreadable.getMessage(), unreadable);
        }
    }

    private static OperationRecord read(JsonFields fields) {
        fields.require("id", "kind", "caller", "region", "at_micros", "outcome", "limits");
        OperationRecord.Kind kind = fields.choice(
                "kind", OperationRecord.Kind.class, OperationRecord.Kind.RESET, OperationRecord.Kind.RESET);
        OperationRecord.Outcome outcome = fields.choice(
                "outcome",
                OperationRecord.Outcome.class,
                OperationRecord.Outcome.FAILED,
                OperationRecord.Outcome.FAILED);
        List<OperationRecord.Counter> limits = new ArrayList<>();
        fields.objects("limits")
                .forEach(each -> limits.add(new OperationRecord.Counter(
                        each.text("policy", ""), each.text("key", ""), each.number("units", 0))));
        String id = fields.text("id", "");
        String caller = fields.text("caller", "");
        String region = fields.text("region", "");
        String requestId = fields.text("request_id", "");
        long atMicros = fields.number("at_micros", 0);
        long units = fields.number("units", 0);
        String endpoint = fields.text("endpoint", "");
        String method = fields.text("method", "");
        int limitsTotal = fields.smallNumber("limits_total", limits.size());
        fields.rules().throwIfBroken();
        return new OperationRecord(
                id, kind, caller, region, requestId, atMicros, outcome, units, endpoint, method, limits, limitsTotal);
    }
}
