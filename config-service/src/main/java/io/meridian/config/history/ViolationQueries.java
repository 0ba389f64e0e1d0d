package io.meridian.config.history;

import io.meridian.config.database.Database;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.model.wire.ViolationRecord;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Queries of recorded violations. */
@Singleton
public class ViolationQueries {
    private final Database database;

    ViolationQueries(Database database) {
        this.database = database;
    }

    /** Page of the log, latest violation first, and the position of the next page. */
    public record Page(List<ViolationRecord> items, Optional<Cursor> next) {}

    public Page page(HistoryFilter filter, Optional<Cursor> after, int limit) {
        SqlStatement statement = filter.addTo(SqlStatement.of("SELECT * FROM violation"), "last_at");
        after.ifPresent(cursor -> statement.add(
                "AND (last_at, source_partition, source_offset) < (?, ?, ?)",
                Timestamps.toDatabase(cursor.lastMicros()),
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
            last = new Cursor(item.lastMicros(), row.getInteger("source_partition"), row.getLong("source_offset"));
        }
        return new Page(items, next);
    }

    /** The keys denied most; ties by the checks that a log-only policy would have denied. */
    public List<Offender> topOffenders(HistoryFilter filter, int limit) {
        SqlStatement statement = filter.addTo(
                        SqlStatement.of("SELECT policy, key, " + total("NOT shadow") + " AS denied, " + total("shadow")
                                + " AS recorded, max(last_at) AS last_at FROM violation"),
                        "last_at")
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

    /** A key, how often it was denied, and how often a log-only policy would have denied it. */
    public record Offender(String policy, String key, long denied, long recorded, Instant lastAt) {}

    private static String total(String which) {
        // least() ignores null in PostgreSQL, so the sum of no rows is made zero first.
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
                Timestamps.toMicros(row.getOffsetDateTime("first_at")),
                Timestamps.toMicros(row.getOffsetDateTime("last_at")),
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

    /** Position in the log where a page ended. */
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
