package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.Validator;
import java.util.ArrayList;
import java.util.List;

/**
 * A reset or a refund on behalf of a caller of a limiter, on its way to the audit trail. All times are microseconds since 1970.
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

    /** Kinds of operations. */
    public enum Kind {
        REFUND,
        RESET
    }

    /** Results of operations. */
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
        rules.requireName("id", id, InstanceReport.NAME_MAX);
        rules.requireName("caller", caller, InstanceReport.NAME_MAX);
        rules.requireName("region", region, InstanceReport.NAME_MAX);
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
            rules.requireName("limits.policy", each.policy(), POLICY_MAX);
            checkText(rules, "limits.key", each.key(), KEY_MAX);
            rules.require(each.units() >= 0, "limits.units", each.units(), "must not be negative");
        }
        rules.throwIfInvalid();
        limits = List.copyOf(limits);
    }

    private static void checkText(Validator rules, String field, String value, int max) {
        if (!value.isEmpty()) {
            rules.requireName(field, value, max);
        }
    }

    /** The record as JSON: operations are few, and people read them when something is wrong. */
    public String encode() {
        ObjectNode record = JsonFields.newRecord()
                .put("id", id)
                .put("kind", EnumNames.text(kind))
                .put("caller", caller)
                .put("region", region)
                .put("request_id", requestId)
                .put("at_micros", atMicros)
                .put("outcome", EnumNames.text(outcome))
                .put("units", units)
                .put("endpoint", endpoint)
                .put("method", method)
                .put("limits_total", limitsTotal);
        ArrayNode written = record.putArray("limits");
        for (Counter each : limits) {
            written.addObject()
                    .put("policy", each.policy())
                    .put("key", each.key())
                    .put("units", each.units());
        }
        return record.toString();
    }

    public static OperationRecord decode(String text) {
        return JsonFields.decode("operation", text, OperationRecord::read);
    }

    private static OperationRecord read(JsonFields fields) {
        fields.require("id", "kind", "caller", "region", "at_micros", "outcome", "limits");
        Kind kind = fields.choice("kind", Kind.class, Kind.RESET, Kind.RESET);
        Outcome outcome = fields.choice("outcome", Outcome.class, Outcome.FAILED, Outcome.FAILED);
        List<Counter> limits = new ArrayList<>();
        fields.objects("limits")
                .forEach(each -> limits.add(
                        new Counter(each.text("policy", ""), each.text("key", ""), each.number("units", 0))));
        String id = fields.text("id", "");
        String caller = fields.text("caller", "");
        String region = fields.text("region", "");
        String requestId = fields.text("request_id", "");
        long atMicros = fields.number("at_micros", 0);
        long units = fields.number("units", 0);
        String endpoint = fields.text("endpoint", "");
        String method = fields.text("method", "");
        int limitsTotal = fields.smallNumber("limits_total", limits.size());
        fields.rules().throwIfInvalid();
        return new OperationRecord(
                id, kind, caller, region, requestId, atMicros, outcome, units, endpoint, method, limits, limitsTotal);
    }
}
