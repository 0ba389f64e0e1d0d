package io.meridian.config.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.rulebook.Actor;
import io.meridian.config.rulebook.Audit;
import io.meridian.config.store.Times;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.wire.OperationRecord.Kind;
import io.meridian.model.wire.OperationRecord;

/** Resets and refunds made at limiters, as rows of the audit trail: one for each, of the token that asked for it. */
final class OperationRows {
    static final String KIND = "counter";
    /** What stands for the counter where no policy applied. */
    static final String NO_COUNTER = "none";
    /** At most three bytes for each character, so that it fits an index. */
    static final int ENTRY_ID_MAX = 600;

    private OperationRows() {}

    static Audit.Reported of(OperationRecord operation) {
        return new Audit.Reported(
                operation.id(),
                new Actor(operation.caller(), operation.requestId()),
                Times.ofMicros(operation.atMicros()),
                EnumNames.text(operation.kind()),
                KIND,
                entryId(operation),
                after(operation));
    }

    /** The first counter, cut; all of them are in the row. */
    private static String entryId(OperationRecord operation) {
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

    private static ObjectNode after(OperationRecord operation) {
        boolean refund = operation.kind() == Kind.REFUND;
        ObjectNode after = JsonNodeFactory.instance
                .objectNode()
                .put("region", operation.region())
                .put("outcome", EnumNames.text(operation.outcome()));
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
