package io.meridian.config.history.promises;

import io.meridian.config.database.Database;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.TimeRange;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Queries of the promise ledger, windows that ended last first. */
@Singleton
public class PromiseQueries {
    /** Policies with totals; there are at most as many policies. */
    private static final int TOTALS_MAX = 10_000;

    private final Database database;

    PromiseQueries(Database database) {
        this.database = database;
    }

    /** Filter of windows by their end. */
    public record Filter(TimeRange range, Optional<String> policy, Optional<Boolean> kept) {
        private SqlStatement addTo(SqlStatement statement) {
            return statement
                    .add(
                            "WHERE window_end >= ? AND window_end < ?",
                            Timestamps.toDatabase(range.from()),
                            Timestamps.toDatabase(range.to()))
                    .addIf("AND policy = ?", policy);
        }

        private SqlStatement addJudged(SqlStatement statement) {
            return addTo(statement).add("AND judged_at IS NOT NULL").addIf("AND kept = ?", kept);
        }
    }

    /** One window of a policy, all keys together; the worst is the key that came closest to its bound, or went furthest above it. */
    public record Window(
            String policy,
            Instant start,
            Instant end,
            boolean escrow,
            long keys,
            long admitted,
            long limit,
            long bound,
            long over,
            long brokenKeys,
            @Nullable Boolean kept,
            @Nullable String reason,
            int parts,
            long loopMicros,
            List<String> incomplete,
            Instant judgedAt,
            @Nullable Breach worst) {}

    /** Units that one key admitted. */
    public record Breach(
            String policy, Instant start, Instant end, String key, long admitted, long limit, long bound) {}

    /** Totals of a policy over the range. */
    public record Total(
            String policy, long windows, long kept, long broken, long unknown, long admitted, long limit, long over) {}

    /** Some rows, and the position of the next page. */
    public record Page<T>(List<T> items, Optional<Cursor> next) {}

    public Page<Window> windows(Filter filter, Optional<Cursor> after, int limit) {
        SqlStatement statement = filter.addJudged(SqlStatement.of("SELECT * FROM promise_window"));
        after.ifPresent(cursor -> statement.add(
                "AND (window_end, policy, window_start) < (?, ?, ?)",
                Timestamps.toDatabase(cursor.endMicros),
                cursor.policy,
                Timestamps.toDatabase(cursor.startMicros)));
        statement.add("ORDER BY window_end DESC, policy DESC, window_start DESC LIMIT ?", limit + 1);
        List<Window> found = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            found.add(window(row));
        }
        return page(found, limit, last -> new Cursor(micros(last.end), last.policy, micros(last.start), ""));
    }

    public Page<Breach> breaches(Filter filter, Optional<String> key, Optional<Cursor> after, int limit) {
        SqlStatement statement =
                filter.addTo(SqlStatement.of("SELECT * FROM promise_breach")).addIf("AND key = ?", key);
        after.ifPresent(cursor -> statement.add(
                "AND (window_end, policy, window_start, key) < (?, ?, ?, ?)",
                Timestamps.toDatabase(cursor.endMicros),
                cursor.policy,
                Timestamps.toDatabase(cursor.startMicros),
                cursor.key));
        statement.add("ORDER BY window_end DESC, policy DESC, window_start DESC, key DESC LIMIT ?", limit + 1);
        List<Breach> found = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            found.add(new Breach(
                    row.getString("policy"),
                    Timestamps.of(row, "window_start"),
                    Timestamps.of(row, "window_end"),
                    row.getString("key"),
                    row.getLong("admitted"),
                    row.getLong("limit_units"),
                    row.getLong("bound_units")));
        }
        return page(found, limit, last -> new Cursor(micros(last.end), last.policy, micros(last.start), last.key));
    }

    public List<Total> totals(Filter filter) {
        SqlStatement statement = filter.addJudged(SqlStatement.of("SELECT policy, count(*) AS windows,"
                        + " count(*) FILTER (WHERE kept) AS kept, count(*) FILTER (WHERE NOT kept) AS broken,"
                        + " count(*) FILTER (WHERE kept IS NULL) AS unknown, " + sum("admitted") + ", "
                        + sum("limit_units") + ", "
                        + "least(coalesce(sum(over_units) FILTER (WHERE NOT kept), 0), 9223372036854775807)::bigint"
                        + " AS over_units FROM promise_window"))
                .add("GROUP BY policy ORDER BY policy LIMIT ?", TOTALS_MAX);
        List<Total> totals = new ArrayList<>();
        for (Row row : database.read(statement::run)) {
            totals.add(new Total(
                    row.getString("policy"),
                    row.getLong("windows"),
                    row.getLong("kept"),
                    row.getLong("broken"),
                    row.getLong("unknown"),
                    row.getLong("admitted"),
                    row.getLong("limit_units"),
                    row.getLong("over_units")));
        }
        return totals;
    }

    private static String sum(String column) {
        return "least(coalesce(sum(" + column + "), 0), 9223372036854775807)::bigint AS " + column;
    }

    private static Window window(Row row) {
        String worst = row.getString("worst_key");
        Instant start = Timestamps.of(row, "window_start");
        Instant end = Timestamps.of(row, "window_end");
        return new Window(
                row.getString("policy"),
                start,
                end,
                row.getBoolean("escrow"),
                row.getLong("keys"),
                row.getLong("admitted"),
                row.getLong("limit_units"),
                row.getLong("bound_units"),
                row.getLong("over_units"),
                row.getLong("broken_keys"),
                row.getBoolean("kept"),
                row.getString("reason"),
                row.getInteger("parts"),
                row.getLong("loop_micros"),
                Arrays.asList(row.getArrayOfStrings("incomplete")),
                Timestamps.of(row, "judged_at"),
                worst == null
                        ? null
                        : new Breach(
                                row.getString("policy"),
                                start,
                                end,
                                worst,
                                row.getLong("worst_admitted"),
                                row.getLong("worst_limit"),
                                row.getLong("worst_bound")));
    }

    private static <T> Page<T> page(List<T> found, int limit, Function<T, Cursor> cursor) {
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, Optional.of(cursor.apply(items.get(limit - 1))));
    }

    private static long micros(Instant time) {
        return Timestamps.toMicros(Timestamps.toDatabase(time));
    }

    /** Position in the ledger where a page ended. */
    public record Cursor(long endMicros, String policy, long startMicros, String key) {
        private static final Pattern TEXT = Pattern.compile("([0-9]{1,17}) ([0-9]{1,17}) (\\S{1,128}) (.*)");

        public static Optional<Cursor> parse(String text) {
            Matcher parts = TEXT.matcher(text);
            return parts.matches()
                    ? Optional.of(new Cursor(
                            Long.parseLong(parts.group(1)),
                            parts.group(3),
                            Long.parseLong(parts.group(2)),
                            parts.group(4)))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return endMicros + " " + startMicros + " " + policy + " " + key;
        }
    }
}
