package io.meridian.config.history;

import io.meridian.config.metrics.HistoryMetrics.Skipped;
import io.meridian.config.rulebook.Audit;
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

/** What one transaction brings into the history: usage merged per point of its curve, violations and operations each for itself. */
final class Batch {
    static final int POLICY_BYTES_MAX = 128;
    static final int KEY_BYTES_MAX = 2_000;
    static final int REGION_BYTES_MAX = 64;

    private final Map<UsagePoint, UsageCount> usage = new LinkedHashMap<>();
    private final List<ViolationRow> violations = new ArrayList<>();
    private final List<Audit.Reported> operations = new ArrayList<>();
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
            UsagePoint point = new UsagePoint(record.limit(), record.incarnation(), Micros.minute(record.sentMicros()));
            usage.merge(point, record.count(), UsageCount::merge);
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

    /** Its texts are plain, or it could not have been read. */
    void add(OperationRecord record) {
        records++;
        if (isPlausible(record.atMicros())) {
            operations.add(OperationRows.of(record));
        }
    }

    void addUnreadable() {
        records++;
        skip(Skipped.UNREADABLE);
    }

    Map<UsagePoint, UsageCount> usage() {
        return usage;
    }

    List<ViolationRow> violations() {
        return violations;
    }

    List<Audit.Reported> operations() {
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

    /** PostgreSQL has no place for the character zero. */
    private boolean isText(String text) {
        return text.indexOf('\0') < 0 || skip(Skipped.UNREADABLE);
    }

    private boolean isPlausible(long micros) {
        return Micros.isPlausible(micros) || skip(Skipped.OUT_OF_TIME);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private boolean skip(Skipped reason) {
        skipped.merge(reason, 1, Integer::sum);
        return false;
    }
}
