package io.meridian.config.history.whatif;

import io.meridian.config.history.Consumption;
import io.meridian.config.history.PointStep;
import io.meridian.config.history.Statement;
import io.meridian.config.history.TimeRange;
import io.meridian.config.history.UsageFilter;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Policy;
import io.vertx.mutiny.sqlclient.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Reads what was asked for under a policy, a row per counter, the busiest first and no more than can be replayed. */
final class DemandRows {
    static final int SERIES_MAX = 10_000;
    private static final int MINUTES_MAX = 200_000;

    private DemandRows() {}

    static RecordedDemand read(Session session, Policy draft, Basis basis, TimeRange range) {
        boolean global = draft.coordination().scope() == Scope.GLOBAL;
        Set<String> regions = draft.appliesTo().regions();
        UsageFilter filter = new UsageFilter(range, Optional.of(basis.policy()), Optional.empty(), Optional.empty());
        Statement statement = Consumption.consumed(filter, PointStep.MINUTE)
                .add(", asked AS (SELECT key, region, bucket, units FROM consumed UNION ALL")
                .add("SELECT key, region, date_trunc('minute', last_at, 'UTC'), cost FROM violation")
                .add("WHERE last_at >= ? AND last_at < ?", Times.toDatabase(range.from()), Times.toDatabase(range.to()))
                .add("AND policy = ?)", basis.policy())
                .add(", per_minute AS (SELECT key, " + (global ? "''" : "region") + " AS counter, bucket, "
                        + Consumption.sum("units") + " AS units FROM asked")
                .addIf(
                        "WHERE region = ANY (?)",
                        Optional.of(regions.toArray(String[]::new)).filter(some -> some.length > 0))
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
        List<Demand> series = new ArrayList<>();
        long all = 0;
        for (Row row : statement.run(session)) {
            all = row.getLong("series");
            series.add(new Demand(row.getString("key"), minutes(row), numbers(row, "units")));
        }
        return new RecordedDemand(series, all);
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
}
