package io.meridian.model.wire;

/** Verdict records as bytes: the key by which the topic is compacted, and the value. */
public final class VerdictCodec {
    private static final int VERSION = 1;
    private static final int EPOCH = 2;
    private static final int SEQUENCE = 3;
    private static final int POLICY_VERSION = 4;
    private static final int USED_ELSEWHERE = 5;
    private static final int BLOCKED = 6;
    private static final int GRANTED = 7;
    /** What may be kept plus one, so that the default, nothing written, keeps all. */
    private static final int KEEP_PLUS_ONE = 8;

    private static final int ECHO = 9;
    /** The first of four fields. */
    private static final int RULE = 10;

    private static final int RATE = 14;

    private VerdictCodec() {}

    public static byte[] key(VerdictRecord verdict) {
        return new LimitFields(verdict.limit(), verdict.life()).bytes();
    }

    public static byte[] value(VerdictRecord verdict) {
        Fields.Writer writer = new Fields.Writer(VERSION)
                .number(EPOCH, verdict.epoch())
                .number(SEQUENCE, verdict.sequence())
                .number(POLICY_VERSION, verdict.rule().policyVersion())
                .number(USED_ELSEWHERE, verdict.usedElsewhere())
                .number(BLOCKED, verdict.blocked() ? 1 : 0)
                .number(GRANTED, verdict.granted())
                .number(KEEP_PLUS_ONE, verdict.keep() == VerdictRecord.KEEP_ALL ? 0 : verdict.keep() + 1)
                .number(ECHO, verdict.echoMicros())
                .number(RATE, verdict.ratePerSecond());
        RuleFields.write(writer, RULE, verdict.rule());
        return writer.bytes();
    }

    public static VerdictRecord decode(byte[] key, byte[] value) {
        LimitFields limit = LimitFields.read(key);
        Fields fields = Fields.read(value, "verdict", VERSION);
        long keepPlusOne = fields.number(KEEP_PLUS_ONE);
        try {
            return new VerdictRecord(
                    limit.limit(),
                    limit.life(),
                    fields.number(EPOCH),
                    fields.number(SEQUENCE),
                    RuleFields.read(fields, POLICY_VERSION, RULE),
                    fields.number(USED_ELSEWHERE),
                    fields.number(BLOCKED) != 0,
                    fields.number(GRANTED),
                    keepPlusOne == 0 ? VerdictRecord.KEEP_ALL : keepPlusOne - 1,
                    fields.number(ECHO),
                    fields.number(RATE));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible verdict: " + impossible.getMessage(), impossible);
        }
    }
}
