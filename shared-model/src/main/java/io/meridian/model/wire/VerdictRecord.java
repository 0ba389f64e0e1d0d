package io.meridian.model.wire;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.validation.Validator;

/**
 * Verdict of a leader for one region on one limit. The newest epoch and sequence win; {@code granted} only grows within a
 * window and incarnation.
 *
 * @param epoch the term of leadership that published it
 * @param sequence counts the verdicts of an epoch
 * @param rule the rule to which the flag applies: another version, or a higher limit, unblocks
 * @param usedElsewhere what all other regions used, less what they gave back: it may fall
 * @param blocked whether the limit is reached everywhere together
 * @param granted in escrow, all that this incarnation of the region was ever granted of the window
 * @param keep in escrow, what the region may keep unspent; {@link #KEEP_ALL} unless grants are called back
 * @param echoMicros {@code sentMicros} of the region's usage that has just gone in, 0 if none has: it measures the loop with it
 * @param ratePerSecond how fast all regions together use the limit: with the loop delay it bounds what is admitted above it
 */
public record VerdictRecord(
        LimitWindow limit,
        RegionIncarnation incarnation,
        long epoch,
        long sequence,
        WindowRule rule,
        long usedElsewhere,
        boolean blocked,
        long granted,
        long keep,
        long echoMicros,
        long ratePerSecond) {
    private static final int VERSION = 1;
    private static final int EPOCH = 2;
    private static final int SEQUENCE = 3;
    private static final int POLICY_VERSION = 4;
    private static final int USED_ELSEWHERE = 5;
    private static final int BLOCKED = 6;
    private static final int GRANTED = 7;
    /** Field of the units that may be kept, plus one: the default of an absent field, zero, keeps all. */
    private static final int KEEP_PLUS_ONE = 8;

    private static final int ECHO = 9;
    /** The first of four fields. */
    private static final int RULE = 10;

    private static final int RATE = 14;

    public static final long KEEP_ALL = Long.MAX_VALUE;

    public VerdictRecord {
        new Validator()
                .require(epoch >= 0, "epoch", epoch, "must not be negative")
                .require(sequence >= 0, "sequence", sequence, "must not be negative")
                .require(usedElsewhere >= 0, "usedElsewhere", usedElsewhere, "must not be negative")
                .require(granted >= 0, "granted", granted, "must not be negative")
                .require(keep >= 0, "keep", keep, "must not be negative")
                .require(ratePerSecond >= 0, "ratePerSecond", ratePerSecond, "must not be negative")
                .throwIfInvalid();
    }

    /** The key by which the topic is compacted. */
    public byte[] key() {
        return new LimitFields(limit, incarnation).bytes();
    }

    public byte[] value() {
        ProtoFields.Writer writer = new ProtoFields.Writer(VERSION)
                .number(EPOCH, epoch)
                .number(SEQUENCE, sequence)
                .number(POLICY_VERSION, rule.policyVersion())
                .number(USED_ELSEWHERE, usedElsewhere)
                .number(BLOCKED, blocked ? 1 : 0)
                .number(GRANTED, granted)
                .number(KEEP_PLUS_ONE, keep == KEEP_ALL ? 0 : keep + 1)
                .number(ECHO, echoMicros)
                .number(RATE, ratePerSecond);
        LimitFields.writeRule(writer, RULE, rule);
        return writer.bytes();
    }

    public static VerdictRecord decode(byte[] key, byte[] value) {
        LimitFields limit = LimitFields.read(key);
        ProtoFields fields = ProtoFields.read(value, "verdict", VERSION);
        long keepPlusOne = fields.number(KEEP_PLUS_ONE);
        try {
            return new VerdictRecord(
                    limit.limit(),
                    limit.incarnation(),
                    fields.number(EPOCH),
                    fields.number(SEQUENCE),
                    LimitFields.readRule(fields, POLICY_VERSION, RULE),
                    fields.number(USED_ELSEWHERE),
                    fields.number(BLOCKED) != 0,
                    fields.number(GRANTED),
                    keepPlusOne == 0 ? KEEP_ALL : keepPlusOne - 1,
                    fields.number(ECHO),
                    fields.number(RATE));
        } catch (IllegalArgumentException impossible) {
            throw new WireException("impossible verdict: " + impossible.getMessage(), impossible);
        }
    }
}
