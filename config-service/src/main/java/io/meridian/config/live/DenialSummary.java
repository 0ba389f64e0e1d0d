package io.meridian.config.live;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.meridian.config.database.Timestamps;
import io.meridian.model.wire.ViolationRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sum of the denials of one interval by policy, key and region: the most denied are listed, the others counted. Bounded: denials of
 * further keys in one interval are only in the totals.
 */
final class DenialSummary {
    static final int KEYS_MAX = 1_000;
    static final int LISTED_MAX = 10;

    private Map<Limit, Sum> sums = new HashMap<>();
    private long denied;
    private long shadow;
    private long unlisted;

    private record Limit(String policy, String key, String region, boolean shadow) {}

    private record Sum(long count, ViolationRecord last) {}

    /**
     * Denials of one interval.
     *
     * @param denied refused checks
     * @param shadow checks that a log-only policy would have refused
     * @param more limits with denials that are not listed; records beyond the bound count one each
     */
    public record Denials(long denied, long shadow, List<DenialItem> items, long more) {}

    /** Denials of one limit in one region; the endpoint and the method are those of the last of them. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record DenialItem(
            String at,
            String policy,
            String key,
            String region,
            long count,
            boolean shadow,
            String endpoint,
            String method) {}

    synchronized void add(ViolationRecord record) {
        if (record.shadow()) {
            shadow += record.count();
        } else {
            denied += record.count();
        }
        Limit limit = new Limit(record.policyId(), record.key(), record.region(), record.shadow());
        if (sums.size() < KEYS_MAX || sums.containsKey(limit)) {
            sums.merge(
                    limit,
                    new Sum(record.count(), record),
                    (before, added) -> new Sum(before.count + added.count, added.last));
        } else {
            unlisted++;
        }
    }

    /** The denials since the last call; empty if there were none. */
    synchronized Optional<Denials> drain() {
        if (sums.isEmpty()) {
            return Optional.empty();
        }
        List<DenialItem> items = sums.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().count))
                .limit(LISTED_MAX)
                .map(each -> item(each.getKey(), each.getValue()))
                .toList();
        Denials drained = new Denials(denied, shadow, items, sums.size() - items.size() + unlisted);
        sums = new HashMap<>();
        denied = 0;
        shadow = 0;
        unlisted = 0;
        return Optional.of(drained);
    }

    private static DenialItem item(Limit limit, Sum sum) {
        return new DenialItem(
                time(sum.last.lastMicros()),
                limit.policy,
                limit.key,
                limit.region,
                sum.count,
                limit.shadow,
                sum.last.endpoint(),
                sum.last.method());
    }

    /** A record may say any number. */
    private static String time(long micros) {
        return Timestamps.ofMicros(Timestamps.isPlausible(micros) ? micros : 0).toString();
    }
}
