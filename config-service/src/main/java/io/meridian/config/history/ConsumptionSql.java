package io.meridian.config.history;

import io.meridian.config.database.SqlStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * SQL that derives consumption from cumulative counts: differences of the running maximum, the first of them to the last count
 * before the range. A clock that stepped back by less than the last three points before the range changes no sum.
 */
public final class ConsumptionSql {
    private static final String SERIES = "policy, key, region, incarnation, window_micros";
    /** No row of a series is older than its window, apart from clock skew, so that older partitions are pruned. */
    private static final String LAST_BEFORE = """
            (SELECT max(taken) AS taken, max(returned) AS returned FROM
              (SELECT taken, returned FROM usage_history kept
               WHERE kept.policy = series.policy AND kept.key = series.key AND kept.region = series.region
                 AND kept.incarnation = series.incarnation AND kept.window_micros = series.window_micros
                 AND kept.bucket >= to_timestamp(series.window_micros / 1000000 - 3600) AND kept.bucket < ?
               ORDER BY kept.bucket DESC LIMIT 3) latest) last""";

    private ConsumptionSql() {}

    /**
     * Begins a statement with {@code consumed (policy, key, region, bucket, units)} as a table, a bucket being a step; units
     * may be negative where more came back than was taken.
     */
    public static SqlStatement consumed(HistoryFilter filter, Step step) {
        SqlStatement statement = SqlStatement.of("WITH ranged AS MATERIALIZED (SELECT " + SERIES + ", date_trunc('"
                + step.text() + "', bucket, 'UTC') AS bucket, max(taken) AS taken, max(returned) AS returned");
        return ranged(statement, filter)
                .add(
                        ", 6), before AS (SELECT series.*, '-infinity'::timestamptz AS bucket, last.taken, last.returned FROM")
                .add("(SELECT DISTINCT " + SERIES + " FROM ranged WHERE window_micros < ?) series", beganBy(filter))
                .add("CROSS JOIN LATERAL " + LAST_BEFORE, filter.range().fromTime())
                .add("WHERE last.taken IS NOT NULL)")
                .add(", counted AS (SELECT " + SERIES + ", bucket,"
                        + " max(taken) OVER series - max(returned) OVER series AS net"
                        + " FROM (TABLE ranged UNION ALL TABLE before) both_parts"
                        + " WINDOW series AS (PARTITION BY " + SERIES + " ORDER BY bucket))")
                .add(", differences AS (SELECT policy, key, region, bucket,"
                        + " net - coalesce(lag(net) OVER (PARTITION BY " + SERIES + " ORDER BY bucket), 0) AS units"
                        + " FROM counted)")
                .add(", consumed AS (SELECT * FROM differences WHERE bucket <> '-infinity')");
    }

    /** Begins a statement with {@code consumed (policy, key, region, units)}, without time, which needs no sort. */
    static SqlStatement totals(HistoryFilter filter) {
        SqlStatement statement = SqlStatement.of(
                "WITH ranged AS MATERIALIZED (SELECT " + SERIES + ", max(taken) AS taken, max(returned) AS returned");
        return ranged(statement, filter)
                .add("), consumed AS (SELECT series.policy, series.key, series.region,")
                .add("greatest(series.taken - coalesce(last.taken, 0), 0)")
                .add("- greatest(series.returned - coalesce(last.returned, 0), 0) AS units")
                .add(
                        "FROM ranged series LEFT JOIN LATERAL " + LAST_BEFORE,
                        filter.range().fromTime())
                .add("ON series.window_micros < ?)", beganBy(filter));
    }

    private static SqlStatement ranged(SqlStatement statement, HistoryFilter filter) {
        return filter.addTo(statement.add("FROM usage_history"), "bucket").add("GROUP BY 1, 2, 3, 4, 5");
    }

    /** Sum of a column, which is a numeric of any size in PostgreSQL, saturated to the range of bigint. */
    public static String sum(String column) {
        return "greatest(least(sum(" + column + "), 9223372036854775807), -9223372036854775807)::bigint";
    }

    /** Windows that began within the range have nothing before it; a minute is added for clock skew. */
    private static long beganBy(HistoryFilter filter) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, filter.range().from()) + TimeUnit.MINUTES.toMicros(1);
    }

    /** Length of time of one point of an answer. */
    public enum Step {
        MINUTE(Duration.ofMinutes(1)),
        HOUR(Duration.ofHours(1)),
        DAY(Duration.ofDays(1));

        static final int POINTS_MAX = 1_000;

        private final Duration length;

        Step(Duration length) {
            this.length = length;
        }

        /** The finest step with which the range has no more points than an answer may. */
        static Step of(Duration range) {
            for (Step step : values()) {
                // Two fewer, because a range may begin and end within a step.
                if (range.dividedBy(step.length) <= POINTS_MAX - 2) {
                    return step;
                }
            }
            return DAY;
        }

        /** The name in PostgreSQL and in the API. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
