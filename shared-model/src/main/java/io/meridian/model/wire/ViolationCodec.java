package io.meridian.model.wire;

/** Violation records as bytes. The key, policy and limit key, only keeps a limit's records in one partition, in order. */
public final class ViolationCodec {
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

    private ViolationCodec() {}

    public static byte[] key(ViolationRecord violation) {
        return new Fields.Writer(VERSION)
                .text(POLICY, violation.policyId())
                .text(KEY, violation.key())
                .bytes();
    }

    public static byte[] value(ViolationRecord violation) {
        return new Fields.Writer(VERSION)
                .number(POLICY_VERSION, violation.policyVersion())
                .text(REGION, violation.region())
                .number(COUNT, violation.count())
                .number(COST, violation.cost())
                .number(FIRST, violation.firstMicros())
                .number(LAST, violation.lastMicros())
                .number(SHADOW, violation.shadow() ? 1 : 0)
                .text(ENDPOINT, violation.endpoint())
                .text(METHOD, violation.method())
                .number(LIMIT, violation.limit())
                .number(USED, violation.used())
                .text(WINDOW, violation.window())
                .bytes();
    }

    public static ViolationRecord decode(byte[] key, byte[] value) {
        Fields limit = Fields.read(key, "violation key", VERSION);
        Fields fields = Fields.read(value, "violation", VERSION);
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
