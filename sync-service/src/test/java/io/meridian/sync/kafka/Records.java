package io.meridian.sync.kafka;

import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.VerdictRecord;

/** Records as regions and leaders write them. */
final class Records {
    private static final WindowRule RULE = new WindowRule(1, 100, 60_000_000, SharingMode.CONVERGE, AfterHeal.FORGIVE);

    private Records() {}

    static UsageRecord usage(String key) {
        return new UsageRecord(
                new LimitWindow("policy", key, 0),
                new RegionIncarnation("eu-west", 1),
                RULE,
                new UsageCount(3, 0),
                0,
                1,
                0,
                TimeSource.system().wallMicros());
    }

    static VerdictRecord verdict(UsageRecord usage, long epoch) {
        return new VerdictRecord(
                usage.limit(),
                usage.incarnation(),
                epoch,
                1,
                usage.rule(),
                0,
                false,
                0,
                VerdictRecord.KEEP_ALL,
                usage.sentMicros(),
                0);
    }
}
