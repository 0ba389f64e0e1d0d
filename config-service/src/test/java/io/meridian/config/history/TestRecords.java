package io.meridian.config.history;

import io.meridian.config.database.Timestamps;
import io.meridian.model.policy.Coordination.AfterHeal;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import java.util.List;

/** Records as regions write them. */
final class TestRecords {
    private TestRecords() {}

    static UsageRecord usage(String policy, String key, String region, long taken, long returned, long sentMicros) {
        return usage(policy, key, new RegionIncarnation(region, 1), taken, returned, sentMicros);
    }

    static UsageRecord usage(
            String policy, String key, RegionIncarnation life, long taken, long returned, long sentMicros) {
        return new UsageRecord(
                new LimitWindow(policy, key, 0),
                life,
                WindowRule.ofVersion(1),
                new UsageCount(taken, returned),
                0,
                0,
                0,
                sentMicros);
    }

    /** Usage of a window of a global limit that has ended. */
    static UsageRecord escrow(String policy, String key, String region, long taken, long startMicros) {
        return new UsageRecord(
                new LimitWindow(policy, key, startMicros),
                new RegionIncarnation(region, 1),
                new WindowRule(1, 100, Timestamps.MINUTE_MICROS, SharingMode.ESCROW, AfterHeal.FORGIVE),
                new UsageCount(taken, 0),
                0,
                0,
                0,
                startMicros);
    }

    static OperationRecord refund(String id, String caller, String region, String key, long units, long atMicros) {
        return new OperationRecord(
                id,
                OperationRecord.Kind.REFUND,
                caller,
                region,
                "",
                atMicros,
                OperationRecord.Outcome.DONE,
                units,
                "/api/v1/users",
                "GET",
                List.of(new OperationRecord.Counter("api-default", key, units)),
                1);
    }

    static ViolationRecord violation(String policy, String key, String region, long count, long lastMicros) {
        return new ViolationRecord(
                policy,
                1,
                key,
                region,
                count,
                count,
                lastMicros - 1_000,
                lastMicros,
                false,
                "/api/v1/users",
                "GET",
                100,
                103,
                "1m");
    }

    /** The same by a policy that only records, of a build that did not say by which limit. */
    static ViolationRecord recorded(String policy, String key, String region, long count, long lastMicros) {
        return new ViolationRecord(
                policy, 1, key, region, count, count, lastMicros, lastMicros, true, "/", "GET", 0, 0, "");
    }
}
