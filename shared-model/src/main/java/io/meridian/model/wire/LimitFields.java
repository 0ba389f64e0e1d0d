package io.meridian.model.wire;

import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionLife;

/**
 * The key of usage and verdict records: (policy, key, window, region, incarnation), by which Kafka compacts to the
 * latest. Its bytes are the same for the same key in every version, or compaction would keep both.
 */
record LimitFields(LimitWindow limit, RegionLife life) {
    private static final int VERSION = 1;
    private static final int POLICY = 2;
    private static final int KEY = 3;
    private static final int WINDOW = 4;
    private static final int REGION = 5;
    private static final int INCARNATION = 6;

    byte[] bytes() {
        return new Fields.Writer(VERSION)
                .text(POLICY, limit.policyId())
                .text(KEY, limit.key())
                .number(WINDOW, limit.startMicros())
                .text(REGION, life.region())
                .number(INCARNATION, life.incarnation())
                .bytes();
    }

    static LimitFields read(byte[] bytes) {
        Fields fields = Fields.read(bytes, "record key", VERSION);
        try {
            return new LimitFields(
                    new LimitWindow(fields.text(POLICY), fields.text(KEY), fields.number(WINDOW)),
                    new RegionLife(fields.text(REGION), fields.number(INCARNATION)));
        } catch (IllegalArgumentException incomplete) {
            throw new WireException("incomplete record key: " + incomplete.getMessage(), incomplete);
        }
    }
}
