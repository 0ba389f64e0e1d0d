package io.meridian.config.history;

import java.util.regex.Pattern;
import java.util.regex.Matcher;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Database;
import io.meridian.config.database.Timestamps;
import io.meridian.model.wire.ViolationRecord;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers questions about what was refused. */
@Singleton
public class ViolationQueries {
    private final Database database;

    ViolationQueries(Database database) {
        this.database = database;
    }

    /** Some of the log, the latest first, and where the next page begins. */
    public record Page(List<ViolationRecord> items, Optional<Cursor> next) {}

    public Page page(HistoryFilter filter, Optional<Cursor> after, int limit) {
        SqlStatement statement = filtered(new SqlStatement().add("SELECT * FROM violation"), filter);
        after.ifPresent(cursor -> statement.add(
                "AND (last_at, source_partition, source_offset) < (?, ?, ?)",
                Micros.time(cursor.lastMicros()),
                cursor.sourcePartition(),
                cursor.sourceOffset()));
        statement.add("ORDER BY last_at DESC, source_partition DESC, source_offset DESC LIMIT ?", limit + 1);
        List<ViolationRecord> items = new ArrayList<>();
        Optional<Cursor> next = Optional.empty();
        Cursor last = new Cursor(0, 0, 0);
        for (Row row : database.read(statement::run)) {
            if (items.size() == limit) {
                next = Optional.of(last);
                break;
            }
            ViolationRecord item = item(row);
            items.add(item);
            last = new Cursor(
                    item.lastMicros(), row.getInteger("source_partition"), row.getLong("source_offset"));
        }
        return new Page(items, next);
    }

    /** The keys that were denied most. Checks that a policy would have denied, but only records, come after. */
    public List<Offender> topOffenders(HistoryFilter filter, int limit) {
        SqlStatement statement = filtered(
                        new SqlStatement()
                                .add("SELECT policy, key, " + total("NOT shadow") + " AS denied, " + total("shadow")
                                        + " AS recorded, max(last_at) AS last_at FROM violation"),
                        filter)
                .add("GROUP BY policy, key ORDER BY denied DESC, recorded DESC, policy, key LIMIT ?", limit);
        List<Offender> offenders = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            offenders.add(new Offender(
                    row.getString("policy"),
                    row.getString("key"),
                    row.getLong("denied"),
                    row.getLong("recorded"),
                    Timestamps.of(row, "last_at")));
        }
        return offenders;
    }

    /** A key, how often it was denied, and how often it would have been by a policy that only records. */
    public record Offender(String policy, String key, long denied, long recorded, Instant lastAt) {}

    private static SqlStatement filtered(SqlStatement statement, HistoryFilter filter) {
        return statement
                .add(
                        "WHERE last_at >= ? AND last_at < ?",
                        filter.range().fromTime(),
                        filter.range().toTime())
                .addIf("AND policy = ?", filter.policy())
                .addIf("AND key = ?", filter.key())
                .addIf("AND region = ?", filter.region());
    }

    private static String total(String which) {
        // The smaller of nothing and a number is the number to PostgreSQL, so nothing is made zero first.
        return "least(coalesce(sum(count) FILTER (WHERE " + which + "), 0), 9223372036854775807)::bigint";
    }

    private static ViolationRecord item(Row row) {
        return new ViolationRecord(
                row.getString("policy"),
                row.getLong("policy_version"),
                row.getString("key"),
                row.getString("region"),
                row.getLong("count"),
                row.getLong("cost"),
                Micros.of(row.getOffsetDateTime("first_at")),
                Micros.of(row.getOffsetDateTime("last_at")),
                row.getBoolean("shadow"),
                row.getString("endpoint"),
                row.getString("method"),
                orZero(row.getLong("limit_units")),
                orZero(row.getLong("used_units")),
                Optional.ofNullable(row.getString("limit_window")).orElse(""));
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    /** Where in the log a page ended. */
    public record Cursor(long lastMicros, int sourcePartition, long sourceOffset) {
        private static final Pattern TEXT = Pattern.compile("([0-9]{1,17}) ([0-9]{1,9}) ([0-9]{1,18})");

        public static Optional<Cursor> parse(String text) {
            Matcher parts = TEXT.matcher(text);
            return parts.matches()
                    ? Optional.of(new Cursor(
                            Long.parseLong(parts.group(1)),
                            Integer.parseInt(parts.group(2)),
                            Long.parseLong(parts.group(3))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return lastMicros + " " + sourcePartition + " " + sourceOffset;
        }
    }
}
