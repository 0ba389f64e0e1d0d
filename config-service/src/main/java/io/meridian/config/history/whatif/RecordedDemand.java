package io.meridian.config.history.whatif;

import io.meridian.config.database.Database.Session;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.ConsumptionSql;
import io.meridian.config.history.ConsumptionSql.Step;
import io.meridian.config.history.HistoryFilter;
import io.meridian.config.history.TimeRange;
import io.meridian.config.history.whatif.RecordedDemand.Series;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Policy;
import io.vertx.mutiny.sqlclient.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Requested units under a policy in a range, a series per counter: the busiest counters, no more than can be replayed.
 *
 * @param total the number of counters, which may be more than there are series
 */
record RecordedDemand(List<Series> series, long total) {
    static final int SERIES_MAX = 10_000;
    private static final int MINUTES_MAX = 200_000;

    static RecordedDemand read(Session session, Policy draft, BasisPolicy basis, TimeRange range) {
        boolean global = draft.coordination().scope() == Scope.GLOBAL;
        Set<String> regions = draft.appliesTo().regions();
        HistoryFilter filter =
                new HistoryFilter(range, Optional.of(basis.policy()), Optional.empty(), Optional.empty());
        SqlStatement statement = ConsumptionSql.consumed(filter, Step.MINUTE)
                .add(", demand AS (SELECT key, region, bucket, units FROM consumed UNION ALL")
                .add("SELECT key, region, date_trunc('minute', last_at, 'UTC'), cost FROM violation")
                .add(
                        "WHERE last_at >= ? AND last_at < ?",
                        Timestamps.toDatabase(range.from()),
                        Timestamps.toDatabase(range.to()))
                .add("AND policy = ?)", basis.policy())
                .add(", per_minute AS (SELECT key, " + (global ? "''" : "region") + " AS counter, bucket, "
                        + ConsumptionSql.sum("units") + " AS units FROM demand")
                .addIf(
                        "WHERE region = ANY (?)",
                        Optional.of(regions.toArray(String[]::new)).filter(names -> names.length > 0))
                .add("GROUP BY 1, 2, 3)")
                .add(", per_counter AS (SELECT key, counter, sum(units) AS total,"
                        + " array_agg((extract(epoch FROM bucket) / 60)::bigint ORDER BY bucket) AS minutes,"
                        + " array_agg(units ORDER BY bucket) AS units FROM per_minute GROUP BY 1, 2)")
                .add(", ranked AS (SELECT key, minutes, units, count(*) OVER () AS series,"
                        + " row_number() OVER busiest AS place, sum(cardinality(minutes)) OVER busiest AS minutes_so_far"
                        + " FROM per_counter WINDOW busiest AS (ORDER BY total DESC, key, counter))")
                .add(
                        "SELECT key, minutes, units, series FROM ranked WHERE minutes_so_far <= ? ORDER BY place LIMIT ?",
                        (long) MINUTES_MAX,
                        (long) SERIES_MAX);
        session.run("SET LOCAL work_mem = '32MB'");
        List<Series> series = new ArrayList<>();
        long total = 0;
        for (Row row : statement.run(session)) {
            total = row.getLong("series");
            series.add(new Series(row.getString("key"), minutes(row), numbers(row, "units")));
        }
        return new RecordedDemand(series, total);
    }

    private static long[] minutes(Row row) {
        return Arrays.stream(numbers(row, "minutes"))
                .map(TimeUnit.MINUTES::toMicros)
                .toArray();
    }

    private static long[] numbers(Row row, String column) {
        return Arrays.stream(row.getArrayOfLongs(column))
                .mapToLong(Long::longValue)
                .toArray();
    }

    boolean isTruncated() {
        return total > series.size();
    }

    /** Units that one key requested, consumed or refused, by minute in order. */
    static final class Series {
        /** Bound on the units of one minute, with which no sum of a replay overflows. */
        private static final long UNITS_MAX = 1_000_000_000_000L;

        private final String key;
        private final long[] minutes;
        private final long[] units;

        /**
         * @param minutes the begin of each minute, in microseconds since 1970
         * @param units the units requested in each; negative where more were refunded than taken
         */
        Series(String key, long[] minutes, long[] units) {
            if (minutes.length != units.length) {
                throw new IllegalArgumentException(
                        "minutes and units must be as many, got " + minutes.length + " and " + units.length);
            }
            this.key = key;
            this.minutes = minutes;
            this.units = units;
        }

        String key() {
            return key;
        }

        int length() {
            return minutes.length;
        }

        long minute(int index) {
            return minutes[index];
        }

        long units(int index) {
            return units[index];
        }

        /** The series with refunded units subtracted from the minutes before, in which they were not used. */
        Series settled() {
            long[] settled = units.clone();
            long refunded = 0;
            for (int i = settled.length - 1; i >= 0; i--) {
                long net = Math.max(-UNITS_MAX, Math.min(UNITS_MAX, settled[i])) - refunded;
                settled[i] = Math.max(0, net);
                refunded = Math.max(0, -net);
            }
            return new Series(key, minutes, settled);
        }
    }
}
