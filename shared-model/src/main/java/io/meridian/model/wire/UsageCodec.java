package io.meridian.model.wire;

import io.meridian.model.usage.UsageCount;

/** Usage records as bytes: the key by which the topic is compacted, and the value. */
public final class UsageCodec {
    private static final int VERSION = 1;
    private static final int POLICY_VERSION = 2;
    private static final int TAKEN = 3;
    private static final int RETURNED = 4;
    private static final int GRANT_RETURNED = 5;
    private static final int DEMAND = 6;
    private static final int SENT = 7;
    private static final int REFUSED_COST = 8;
    /** The first of four fields. */
    private static final int RULE = 9;

    /** The floor plus one, so that the default, nothing written, is undecided. */
    private static final int FLOOR_PLUS_ONE = 13;

    private UsageCodec() {}

    public static byte[] key(UsageRecord usage) {
        return new LimitFields(usage.limit(), usage.life()).bytes();
    }

    public static byte[] value(UsageRecord usage) {
        Fields.Writer writer = new Fields.Writer(VERSION)
                .number(POLICY_VERSION, usage.rule().policyVersion())
                .number(TAKEN, usage.count().taken())
                .number(RETURNED, usage.count().returned())
                .number(GRANT_RETURNED, usage.grantReturned())
                .number(DEMAND, usage.demandPerSecond())
                .number(SENT, usage.sentMicros())
                .number(REFUSED_COST, usage.refusedCost())
                .number(FLOOR_PLUS_ONE, usage.floor() + 1);
        RuleFields.write(writer, RULE, usage.rule());
        return writer.bytes();
    }

    public static UsageRecord decode(byte[] key, byte[] value) {
        LimitFields limit = LimitFields.read(key);
        Fields fields = Fields.read(value, "usage", VERSION);
        try {
            return new UsageRecord(
                    limit.limit(),
                    limit.life(),
                    RuleFields.read(fields, POLICY_VERSION, RULE),
                    new UsageCount(fields.number(TAKEN), fields.number(RETURNED)),
                    fields.number(GRANT_RETURNED),
                    fields.number(DEMAND),
                    fields.number(REFUSED_COST),
                    fields.number(FLOOR_PLUS_ONE) - 1,
                    fields.number(SENT));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible usage: " + impossible.getMessage(), impossible);
        }
    }
}
