package io.meridian.model.wire;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;

/**
 * Fields that usage and verdict records share. The key: (policy, key, window, region, incarnation), by which Kafka compacts to the
 * latest. Its bytes are the same for the same key in every version, or compaction would keep both.
 */
record LimitFields(LimitWindow limit, RegionIncarnation incarnation) {
    private static final int VERSION = 1;
    private static final int POLICY = 2;
    private static final int KEY = 3;
    private static final int WINDOW = 4;
    private static final int REGION = 5;
    private static final int INCARNATION = 6;

    byte[] bytes() {
        return new ProtoFields.Writer(VERSION)
                .text(POLICY, limit.policyId())
                .text(KEY, limit.key())
                .number(WINDOW, limit.startMicros())
                .text(REGION, incarnation.region())
                .number(INCARNATION, incarnation.number())
                .bytes();
    }

    static LimitFields read(byte[] bytes) {
        ProtoFields fields = ProtoFields.read(bytes, "record key", VERSION);
        try {
            return new LimitFields(
                    new LimitWindow(fields.text(POLICY), fields.text(KEY), fields.number(WINDOW)),
                    new RegionIncarnation(fields.text(REGION), fields.number(INCARNATION)));
        } catch (IllegalArgumentException incomplete) {
            throw new WireException("incomplete record key: " + incomplete.getMessage(), incomplete);
        }
    }

    /** Writes the rule of a window but for its version into four fields from this one on. */
    static void writeRule(ProtoFields.Writer writer, int from, WindowRule rule) {
        writer.number(from, rule.limit())
                .number(from + 1, rule.windowMicros())
                .number(from + 2, rule.sharing().code())
                .number(from + 3, rule.afterHeal().code());
    }

    static WindowRule readRule(ProtoFields fields, int version, int from) {
        return new WindowRule(
                fields.number(version),
                fields.number(from),
                fields.number(from + 1),
                SharingMode.ofCode(fields.number(from + 2)),
                AfterHeal.ofCode(fields.number(from + 3)));
    }
}
