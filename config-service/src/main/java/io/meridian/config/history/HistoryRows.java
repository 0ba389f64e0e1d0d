package io.meridian.config.history;

import io.meridian.config.store.Session;
import io.meridian.model.usage.UsageCount;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a batch, each kind in one statement. Writing what is there already changes nothing. */
final class HistoryRows {
    private static final String USAGE = "INSERT INTO usage_history AS kept"
            + " (policy, key, region, incarnation, window_micros, bucket, taken, returned)"
            + " SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[],"
            + " $7::bigint[], $8::bigint[])"
            + " ON CONFLICT (policy, key, region, incarnation, window_micros, bucket) DO UPDATE SET"
            + " taken = greatest(kept.taken, excluded.taken), returned = greatest(kept.returned, excluded.returned)"
            + " WHERE excluded.taken > kept.taken OR excluded.returned > kept.returned";
    private static final String VIOLATIONS = "INSERT INTO violation (last_at, source_partition, source_offset,"
            + " first_at, policy, policy_version, key, region, count, cost, shadow, endpoint, method, limit_units,"
            + " used_units, limit_window) SELECT * FROM unnest($1::timestamptz[], $2::integer[], $3::bigint[],"
            + " $4::timestamptz[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],"
            + " $11::boolean[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::text[]) ON CONFLICT (last_at,"
            + " source_partition, source_offset) DO NOTHING";

    private HistoryRows() {}

    static void writeUsage(Session session, List<Map.Entry<UsagePoint, UsageCount>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        session.run(
                USAGE,
                texts(rows, row -> row.getKey().limit().policyId()),
                texts(rows, row -> row.getKey().limit().key()),
                texts(rows, row -> row.getKey().life().region()),
                numbers(rows, row -> row.getKey().life().number()),
                numbers(rows, row -> row.getKey().limit().startMicros()),
                times(rows, row -> row.getKey().bucketMicros()),
                numbers(rows, row -> row.getValue().taken()),
                numbers(rows, row -> row.getValue().returned()));
    }

    static void writeViolations(Session session, List<ViolationRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        session.run(
                VIOLATIONS,
                times(rows, row -> row.violation().lastMicros()),
                rows.stream().map(ViolationRow::sourcePartition).toArray(Integer[]::new),
                numbers(rows, ViolationRow::sourceOffset),
                times(rows, row -> row.violation().firstMicros()),
                texts(rows, row -> row.violation().policyId()),
                numbers(rows, row -> row.violation().policyVersion()),
                texts(rows, row -> row.violation().key()),
                texts(rows, row -> row.violation().region()),
                numbers(rows, row -> row.violation().count()),
                numbers(rows, row -> row.violation().cost()),
                rows.stream().map(row -> row.violation().shadow()).toArray(Boolean[]::new),
                texts(rows, row -> row.violation().endpoint()),
                texts(rows, row -> row.violation().method()),
                numbers(rows, row -> isLimitKnown(row) ? row.violation().limit() : null),
                numbers(rows, row -> isLimitKnown(row) ? row.violation().used() : null),
                texts(rows, row -> isLimitKnown(row) ? row.violation().window() : null));
    }

    /** Limiters of an earlier build do not say what they refused by. */
    private static boolean isLimitKnown(ViolationRow row) {
        return row.violation().limit() > 0 && !row.violation().window().isEmpty();
    }

    private static <R> String[] texts(List<R> rows, Function<R, @Nullable String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static <R> Long[] numbers(List<R> rows, Function<R, @Nullable Long> column) {
        return rows.stream().map(column).toArray(Long[]::new);
    }

    private static <R> OffsetDateTime[] times(List<R> rows, Function<R, Long> column) {
        return rows.stream().map(column).map(Micros::time).toArray(OffsetDateTime[]::new);
    }
}
