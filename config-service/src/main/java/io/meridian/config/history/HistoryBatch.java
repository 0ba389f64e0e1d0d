package io.meridian.config.history;

import io.meridian.config.database.Timestamps;
import io.meridian.config.ops.HistoryMetrics.Skipped;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.UsageCount;
import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of one intake transaction: usage merged by point, violations and operations one by one. Records that cannot be stored
 * are counted by reason.
 */
final class HistoryBatch {
    static final int POLICY_BYTES_MAX = 128;
    static final int KEY_BYTES_MAX = 2_000;
    static final int REGION_BYTES_MAX = 64;

    private final Map<UsagePoint, UsageCount> usage = new LinkedHashMap<>();
    private final PromiseRows promises = new PromiseRows();
    private final List<ViolationRow> violations = new ArrayList<>();
    private final List<OperationRecord> operations = new ArrayList<>();
    private final Map<Skipped, Integer> skipped = new EnumMap<>(Skipped.class);
    private int records;

    void add(UsageRecord record) {
        records++;
        if (isKept(
                        record.limit().policyId(),
                        record.limit().key(),
                        record.incarnation().region())
                && isPlausible(record.sentMicros())
                && isPlausible(record.limit().startMicros())) {
            UsagePoint point =
                    new UsagePoint(record.limit(), record.incarnation(), Timestamps.minute(record.sentMicros()));
            usage.merge(point, record.count(), UsageCount::merge);
            promises.add(record);
        }
    }

    void add(int sourcePartition, long sourceOffset, ViolationRecord record) {
        records++;
        boolean plausible = isPlausible(record.firstMicros())
                && isPlausible(record.lastMicros())
                && isText(record.endpoint())
                && isText(record.method())
                && isText(record.window());
        if (plausible && isKept(record.policyId(), record.key(), record.region())) {
            violations.add(new ViolationRow(sourcePartition, sourceOffset, record));
        }
    }

    /** The decoder has checked its texts. */
    void add(OperationRecord record) {
        records++;
        if (isPlausible(record.atMicros())) {
            operations.add(record);
        }
    }

    void addUnreadable() {
        records++;
        skip(Skipped.UNREADABLE);
    }

    Map<UsagePoint, UsageCount> usage() {
        return usage;
    }

    PromiseRows promises() {
        return promises;
    }

    List<ViolationRow> violations() {
        return violations;
    }

    List<OperationRecord> operations() {
        return operations;
    }

    Map<Skipped, Integer> skipped() {
        return skipped;
    }

    int records() {
        return records;
    }

    private boolean isKept(String policy, String key, String region) {
        if (!isText(policy) || !isText(key) || !isText(region)) {
            return false;
        }
        boolean fits =
                bytes(policy) <= POLICY_BYTES_MAX && bytes(key) <= KEY_BYTES_MAX && bytes(region) <= REGION_BYTES_MAX;
        return fits || skip(Skipped.TOO_LONG);
    }

    /** PostgreSQL cannot store the character zero. */
    private boolean isText(String text) {
        return text.indexOf('\0') < 0 || skip(Skipped.UNREADABLE);
    }

    private boolean isPlausible(long micros) {
        return Timestamps.isPlausible(micros) || skip(Skipped.OUT_OF_TIME);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private boolean skip(Skipped reason) {
        skipped.merge(reason, 1, Integer::sum);
        return false;
    }

    /** Key of a row of usage: one cumulative counter at one minute. */
    record UsagePoint(LimitWindow limit, RegionIncarnation life, long bucketMicros) {}

    /** Violation with its place in Kafka, which identifies it. */
    record ViolationRow(int sourcePartition, long sourceOffset, ViolationRecord violation) {}
}
