package io.meridian.config.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Choice;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.OperationRecord.Kind;

/** Form of resets and refunds made at limiters in the audit trail; the actor is the name of the token that requested them. */
final class OperationRows {
    static final String KIND = "counter";
    /** Entry id of an operation to which no policy applied. */
    static final String NO_COUNTER = "none";
    /** In characters of at most three bytes each, so that the id fits an index. */
    static final int ENTRY_ID_MAX = 600;

    private OperationRows() {}

    /** The first counter, cut to the bound; the column after has all of them. */
    static String entryId(OperationRecord operation) {
        if (operation.limits().isEmpty()) {
            return NO_COUNTER;
        }
        OperationRecord.Counter first = operation.limits().get(0);
        String id = first.policy() + ":" + first.key();
        if (id.length() <= ENTRY_ID_MAX) {
            return id;
        }
        return id.substring(
                0, Character.isHighSurrogate(id.charAt(ENTRY_ID_MAX - 1)) ? ENTRY_ID_MAX - 1 : ENTRY_ID_MAX);
    }

    static ObjectNode after(OperationRecord operation) {
        boolean refund = operation.kind() == Kind.REFUND;
        ObjectNode after = JsonNodeFactory.instance
                .objectNode()
                .put("region", operation.region())
                .put("outcome", Choice.text(operation.outcome()));
        if (refund) {
            after.put("units", operation.units());
        }
        after.put("endpoint", operation.endpoint()).put("method", operation.method());
        ArrayNode limits = after.putArray("limits");
        for (OperationRecord.Counter each : operation.limits()) {
            ObjectNode limit = limits.addObject().put("policy", each.policy()).put("key", each.key());
            if (refund) {
                limit.put("units", each.units());
            }
        }
        return after.put("limits_total", operation.limitsTotal());
    }
}
