package io.meridian.model.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.List;

/**
 * A reset or a refund that a caller of a limiter asked for, on its way to the audit trail. All times are microseconds since 1970.
 *
 * @param id unique among all operations of all limiters: a record that comes twice is one operation
 * @param caller the name of the caller's token
 * @param requestId the caller's name for its request, empty if it gave none
 * @param atMicros the limiter's wall clock when it was done
 * @param units what the request was to give back; 0 for a reset, which gives back everything
 * @param limits the counters concerned, in the order of evaluation, the first {@link #LIMITS_MAX}
 * @param limitsTotal how many they were
 */
public record OperationRecord(
        String id,
        Kind kind,
        String caller,
        String region,
        String requestId,
        long atMicros,
        Outcome outcome,
        long units,
        String endpoint,
        String method,
        List<Counter> limits,
        int limitsTotal) {
    public static final int LIMITS_MAX = 16;
    public static final int KEY_MAX = 1_024;
    public static final int ENDPOINT_MAX = 256;
    public static final int REQUEST_ID_MAX = 128;

    public static final int METHOD_MAX = 32;
    private static final int POLICY_MAX = 128;

    /** What was asked for. */
    public enum Kind {
        REFUND,
        RESET
    }

    /** What became of it. */
    public enum Outcome {
        /** The region's counters were changed. */
        DONE,
        /** The region's counters could not be reached: what the instance counts in their place was changed. */
        DEGRADED,
        /** No policy applies, so no counter was changed. */
        NO_LIMIT,
        /** The client is on the deny list, so no counter was changed. */
        DENY_LISTED,
        /** A policy that fails closed could not be reached, so no counter was changed. */
        UNDECIDED,
        /** The limiter failed; nobody knows what was changed. */
        FAILED
    }

    /**
     * A counter.
     *
     * @param key {@code tenant=acme,user_id=42}, cut at {@link #KEY_MAX} characters
     * @param units what was to be given back to it; 0 for a reset
     */
    public record Counter(String policy, String key, long units) {}

    public OperationRecord {
        Validator rules = new Validator();
        WireNames.check(rules, "id", id, InstanceReport.NAME_MAX);
        WireNames.check(rules, "caller", caller, InstanceReport.NAME_MAX);
        WireNames.check(rules, "region", region, InstanceReport.NAME_MAX);
        checkText(rules, "requestId", requestId, REQUEST_ID_MAX);
        checkText(rules, "endpoint", endpoint, ENDPOINT_MAX);
        checkText(rules, "method", method, METHOD_MAX);
        rules.require(units >= 0, "units", units, "must not be negative")
                .require(
                        limits.size() <= LIMITS_MAX,
                        "limits",
                        limits.size(),
                        "must have at most " + LIMITS_MAX + " entries")
                .require(limitsTotal >= limits.size(), "limitsTotal", limitsTotal, "must not be less than the limits");
        for (Counter each : limits) {
            WireNames.check(rules, "limits.policy", each.policy(), POLICY_MAX);
            checkText(rules, "limits.key", each.key(), KEY_MAX);
            rules.require(each.units() >= 0, "limits.units", each.units(), "must not be negative");
        }
        rules.throwIfBroken();
        limits = List.copyOf(limits);
    }

    private static void checkText(Validator rules, String field, String value, int max) {
        if (!value.isEmpty()) {
            WireNames.check(rules, field, value, max);
        }
    }

    // TODO from OperationCodec.java
    private static final String FORMAT = "format";
    private static final int VERSION = 1;

    private OperationRecord() {}

    public static String encode(OperationRecord operation) {
        ObjectNode record = JsonNodeFactory.instance
                .objectNode()
                .put(FORMAT, VERSION)
                .put("id", operation.id())
                .put("kind", EnumNames.text(operation.kind()))
                .put("caller", operation.caller())
                .put("region", operation.region())
                .put("request_id", operation.requestId())
                .put("at_micros", operation.atMicros())
                .put("outcome", EnumNames.text(operation.outcome()))
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
            return read(new JsonFields(record, "", new Validator(), new ArrayList<>()));
        } catch (ValidationException | MalformedException unreadable) {
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
