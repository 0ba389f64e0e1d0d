package io.meridian.config.history;

import io.meridian.config.database.Database;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.ConsumptionSql.Step;
import io.meridian.model.time.TimeSource;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Queries of recorded usage, bounded in rows and in time. */
@Singleton
public class UsageQueries {
    private static final int ROWS_MAX = 100_000;

    private final Database database;
    private final HistoryConfig config;
    private final TimeSource time;

    UsageQueries(Database database, HistoryConfig config, TimeSource time) {
        this.database = database;
        this.config = config;
        this.time = time;
    }

    /** The range of a query of usage, from a whole minute, because usage is recorded by the minute. */
    public TimeRange usageRange(Optional<Instant> from, Optional<Instant> to) {
        return range(from, to, config.usageRetention(), ChronoUnit.MINUTES);
    }

    public TimeRange violationRange(Optional<Instant> from, Optional<Instant> to) {
        return range(from, to, config.violationRetention(), ChronoUnit.MICROS);
    }

    /** The range of a query of the promise ledger. */
    public TimeRange promiseRange(Optional<Instant> from, Optional<Instant> to) {
        return range(from, to, config.promiseRetention(), ChronoUnit.MICROS);
    }

    private TimeRange range(Optional<Instant> from, Optional<Instant> to, Duration retention, ChronoUnit resolution) {
        return TimeRange.of(from, to, Timestamps.ofMicros(time.wallMicros()), retention, resolution);
    }

    public UsageCurve usage(HistoryFilter filter) {
        Step step = Step.of(filter.range().length());
        SqlStatement statement = ConsumptionSql.consumed(filter, step)
                .add("SELECT bucket AS at, region, " + ConsumptionSql.sum("units")
                        + " AS units FROM consumed GROUP BY 1, 2 ORDER BY 1, 2 LIMIT " + ROWS_MAX);
        Map<Instant, Map<String, Long>> points = new TreeMap<>();
        Map<String, Long> regions = new TreeMap<>();
        for (Row row : sorting(statement)) {
            points.computeIfAbsent(Timestamps.of(row, "at"), at -> new TreeMap<>())
                    .put(row.getString("region"), row.getLong("units"));
            regions.merge(row.getString("region"), row.getLong("units"), Long::sum);
        }
        List<UsageCurve.Point> list = new ArrayList<>();
        points.forEach((at, units) -> list.add(new UsageCurve.Point(at, units)));
        return new UsageCurve(filter.range(), step, list, regions);
    }

    /** The keys with the highest consumption. */
    public List<HotKey> hotKeys(HistoryFilter filter, int limit) {
        SqlStatement statement = ConsumptionSql.totals(filter)
                .add("SELECT policy, key, " + ConsumptionSql.sum("units")
                        + " AS units FROM consumed GROUP BY policy, key")
                .add("HAVING sum(units) > 0 ORDER BY units DESC, policy, key LIMIT ?", limit);
        List<HotKey> keys = new ArrayList<>();
        for (Row row : sorting(statement)) {
            keys.add(new HotKey(row.getString("policy"), row.getString("key"), row.getLong("units")));
        }
        return keys;
    }

    /** Whether the policy ever existed, or has records. */
    public boolean isKnown(String policy) {
        return database.read(
                session -> session.run("""
                        SELECT EXISTS (SELECT 1 FROM policy_version WHERE id = $1)
                            OR EXISTS (SELECT 1 FROM violation WHERE policy = $1)
                            OR EXISTS (SELECT 1 FROM usage_history WHERE policy = $1) AS known""", policy).iterator().next().getBoolean("known"));
    }

    /** Runs a statement with memory for sorting a million rows. */
    private RowSet<Row> sorting(SqlStatement statement) {
        return database.transaction(session -> {
            session.run("SET LOCAL work_mem = '32MB'");
            return statement.run(session);
        });
    }

    /** A key and its consumption. */
    public record HotKey(String policy, String key, long consumed) {}

    /** Consumption of a policy over time: the points with consumption, oldest first. */
    public record UsageCurve(TimeRange range, Step step, List<Point> points, Map<String, Long> regions) {
        /** Consumption of one step by region. */
        public record Point(Instant at, Map<String, Long> regions) {
            public long consumed() {
                return sum(regions);
            }
        }

        public long consumed() {
            return sum(regions);
        }

        private static long sum(Map<String, Long> regions) {
            return regions.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
