package io.meridian.model.wire;

import io.meridian.model.validation.Validator;

/**
 * Refusals of one limit by one instance in an interval. Records of one limit add up: each is of other denials.
 *
 * @param key the key of the limit, {@code tenant=acme,user_id=42}
 * @param count how many checks the limit refused
 * @param cost what they would have been charged
 * @param firstMicros the region's time of the first of them
 * @param lastMicros the region's time of the last of them
 * @param shadow whether the policy only records: the checks were not denied by it
 * @param endpoint of the last of them, cut at {@link #ENDPOINT_MAX} characters
 * @param method of the last of them, cut at {@link #METHOD_MAX} characters
 * @param limit what an untouched counter of it admitted at the last of them; 0 in records of builds without it
 * @param used what of that was used up by then
 * @param window of the limit, {@code 1h}; empty in records of builds without it
 */
public record ViolationRecord(
        String policyId,
        long policyVersion,
        String key,
        String region,
        long count,
        long cost,
        long firstMicros,
        long lastMicros,
        boolean shadow,
        String endpoint,
        String method,
        long limit,
        long used,
        String window) {
    private static final int VERSION = 1;
    private static final int POLICY = 2;
    private static final int KEY = 3;

    private static final int POLICY_VERSION = 2;
    private static final int REGION = 3;
    private static final int COUNT = 4;
    private static final int COST = 5;
    private static final int FIRST = 6;
    private static final int LAST = 7;
    private static final int SHADOW = 8;
    private static final int ENDPOINT = 9;
    private static final int METHOD = 10;
    private static final int LIMIT = 11;
    private static final int USED = 12;
    private static final int WINDOW = 13;

    public static final int ENDPOINT_MAX = 256;
    public static final int METHOD_MAX = 32;
    public static final int WINDOW_MAX = 16;

    public ViolationRecord {
        new Validator()
                .require(!policyId.isEmpty(), "policyId", policyId, "must not be empty")
                .require(policyVersion >= 0, "policyVersion", policyVersion, "must not be negative")
                .require(!region.isEmpty(), "region", region, "must not be empty")
                .require(count > 0, "count", count, "must be positive")
                .require(cost >= 0, "cost", cost, "must not be negative")
                .require(
                        firstMicros <= lastMicros,
                        "firstMicros",
                        firstMicros,
                        "must not be after lastMicros " + lastMicros)
                .require(
                        endpoint.length() <= ENDPOINT_MAX,
                        "endpoint",
                        endpoint,
                        "must have at most " + ENDPOINT_MAX + " characters")
                .require(
                        method.length() <= METHOD_MAX,
                        "method",
                        method,
                        "must have at most " + METHOD_MAX + " characters")
                .require(limit >= 0, "limit", limit, "must not be negative")
                .require(used >= 0, "used", used, "must not be negative")
                .require(
                        window.length() <= WINDOW_MAX,
                        "window",
                        window,
                        "must have at most " + WINDOW_MAX + " characters")
                .throwIfInvalid();
    }

    /** Policy and limit key: it only keeps the records of a limit in one partition, in order. */
    public byte[] recordKey() {
        return new ProtoFields.Writer(VERSION)
                .text(POLICY, policyId)
                .text(KEY, key)
                .bytes();
    }

    public byte[] recordValue() {
        return new ProtoFields.Writer(VERSION)
                .number(POLICY_VERSION, policyVersion)
                .text(REGION, region)
                .number(COUNT, count)
                .number(COST, cost)
                .number(FIRST, firstMicros)
                .number(LAST, lastMicros)
                .number(SHADOW, shadow ? 1 : 0)
                .text(ENDPOINT, endpoint)
                .text(METHOD, method)
                .number(LIMIT, limit)
                .number(USED, used)
                .text(WINDOW, window)
                .bytes();
    }

    public static ViolationRecord decode(byte[] key, byte[] value) {
        ProtoFields limit = ProtoFields.read(key, "violation key", VERSION);
        ProtoFields fields = ProtoFields.read(value, "violation", VERSION);
        try {
            return new ViolationRecord(
                    limit.text(POLICY),
                    fields.number(POLICY_VERSION),
                    limit.text(KEY),
                    fields.text(REGION),
                    fields.number(COUNT),
                    fields.number(COST),
                    fields.number(FIRST),
                    fields.number(LAST),
                    fields.number(SHADOW) != 0,
                    fields.text(ENDPOINT),
                    fields.text(METHOD),
                    fields.number(LIMIT),
                    fields.number(USED),
                    fields.text(WINDOW));
        } catch (WireException malformed) {
            throw malformed;
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible violation: " + impossible.getMessage(), impossible);
        }
    }
}
