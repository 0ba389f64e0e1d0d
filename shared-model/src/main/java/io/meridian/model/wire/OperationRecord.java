package io.meridian.model.wire;

import io.meridian.model.rule.Rules;
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
        Rules rules = new Rules();
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

    private static void checkText(Rules rules, String field, String value, int max) {
        if (!value.isEmpty()) {
            WireNames.check(rules, field, value, max);
        }
    }
}
