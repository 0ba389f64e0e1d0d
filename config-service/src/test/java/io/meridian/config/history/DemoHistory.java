package io.meridian.config.history;

import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import java.util.ArrayList;
import java.util.List;

/** Recorded traffic of a demonstration: consumption that grows over the last minutes, and some denials. */
public final class DemoHistory {
    private static final int MINUTES = 40;
    private static final int UNITS_PER_MINUTE = 20;

    private DemoHistory() {}

    /** Traffic of some keys of a policy in some regions, the later ones less busy. */
    public static void tell(
            String bootstrap, HistoryConfig config, String policy, List<String> keys, List<String> regions)
            throws Exception {
        TopicsUnderTest topics = TopicsUnderTest.named(
                bootstrap, config.usageTopic(), config.violationsTopic(), config.operationsTopic(), config.batchMax());
        long now = TimeSource.system().wallMicros();
        List<UsageRecord> usage = new ArrayList<>();
        List<ViolationRecord> violations = new ArrayList<>();
        for (int k = 0; k < keys.size(); k++) {
            for (int r = 0; r < regions.size(); r++) {
                long taken = 0;
                for (int minute = MINUTES; minute > 0; minute--) {
                    taken += UNITS_PER_MINUTE / (1 + k) + 7 * ((minute * (r + 2)) % 5);
                    usage.add(TestRecords.usage(
                            policy, keys.get(k), regions.get(r), taken, 0, now - minute * Timestamps.MINUTE_MICROS));
                }
            }
            violations.add(TestRecords.violation(
                    policy,
                    keys.get(k),
                    regions.get(k % regions.size()),
                    3 + k,
                    now - (k + 1) * Timestamps.MINUTE_MICROS));
        }
        topics.tell(usage, violations);
    }
}
