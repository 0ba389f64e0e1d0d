package io.meridian.model.wire;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.validation.Validator;

/**
 * Report of a region on its usage of one limit: cumulative, so that only the latest record of a key matters.
 *
 * @param rule the rule under which the region last counted
 * @param count what was taken and given back
 * @param grantReturned in escrow, what of its grants the region has given back
 * @param demandPerSecond demand, refused requests included
 * @param refusedCost in escrow, what was refused for want of a grant since the last one, all of it together
 * @param floor in escrow, what the region may spend of this window without a grant; -1 as long as it has not decided
 * @param sentMicros the region's clock when it sent this: for loop delay and clock skew
 */
public record UsageRecord(
        LimitWindow limit,
        RegionIncarnation incarnation,
        WindowRule rule,
        UsageCount count,
        long grantReturned,
        long demandPerSecond,
        long refusedCost,
        long floor,
        long sentMicros) {
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

    public static final long FLOOR_UNDECIDED = -1;

    public UsageRecord(
            LimitWindow limit,
            RegionIncarnation incarnation,
            WindowRule rule,
            UsageCount count,
            long grantReturned,
            long demandPerSecond,
            long refusedCost,
            long sentMicros) {
        this(limit, incarnation, rule, count, grantReturned, demandPerSecond, refusedCost, FLOOR_UNDECIDED, sentMicros);
    }

    public UsageRecord {
        new Validator()
                .require(grantReturned >= 0, "grantReturned", grantReturned, "must not be negative")
                .require(demandPerSecond >= 0, "demandPerSecond", demandPerSecond, "must not be negative")
                .require(refusedCost >= 0, "refusedCost", refusedCost, "must not be negative")
                .require(floor >= FLOOR_UNDECIDED, "floor", floor, "must be at least " + FLOOR_UNDECIDED)
                .throwIfInvalid();
    }

    /** The key by which the topic is compacted. */
    public byte[] key() {
        return new LimitFields(limit, incarnation).bytes();
    }

    public byte[] value() {
        ProtoFields.Writer writer = new ProtoFields.Writer(VERSION)
                .number(POLICY_VERSION, rule.policyVersion())
                .number(TAKEN, count.taken())
                .number(RETURNED, count.returned())
                .number(GRANT_RETURNED, grantReturned)
                .number(DEMAND, demandPerSecond)
                .number(SENT, sentMicros)
                .number(REFUSED_COST, refusedCost)
                .number(FLOOR_PLUS_ONE, floor + 1);
        LimitFields.writeRule(writer, RULE, rule);
        return writer.bytes();
    }

    public static UsageRecord decode(byte[] key, byte[] value) {
        LimitFields limit = LimitFields.read(key);
        ProtoFields fields = ProtoFields.read(value, "usage", VERSION);
        try {
            return new UsageRecord(
                    limit.limit(),
                    limit.incarnation(),
                    LimitFields.readRule(fields, POLICY_VERSION, RULE),
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
