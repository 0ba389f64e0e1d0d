package io.meridian.config.history;

import java.util.TreeSet;
import io.vertx.mutiny.sqlclient.Row;
import java.util.Locale;
import java.time.format.DateTimeFormatter;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Session;
import io.meridian.model.time.TimeSource;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Set;

/**
 * Makes partitions ahead of time and drops those past their retention. Yesterday has one too, for what is still on its way
 * when a first day begins.
 */
@Singleton
class DailyPartitions {
    /** "history", in a number: whoever holds it does the upkeep, the other replicas leave it at that. */
    private static final long LOCK = 0x68697374L;

    private final Database database;
    private final Schema schema;
    private final HistoryConfig config;
    private final TimeSource time;
    private volatile LocalDate ensured = LocalDate.EPOCH;

    DailyPartitions(Database database, Schema schema, HistoryConfig config, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.config = config;
        this.time = time;
    }

    /** Whether it was done, and not left to another replica that is at it. */
    boolean run() {
        return run(Micros.day(time.wallMicros()));
    }

    /** Sees to partitions for today: without them everything would pass for out of time, and be gone. */
    void ensureToday() {
        LocalDate today = Micros.day(time.wallMicros());
        if (today.equals(ensured)) {
            return;
        }
        requireSchema();
        boolean there = database.read(
                session -> Partitions.days(session, Table.USAGE_HISTORY).contains(today)
                        && Partitions.days(session, Table.VIOLATION).contains(today));
        if (!there && !run(today)) {
            throw new DatabaseUnavailableException("another replica is making the partitions of today");
        }
        ensured = today;
    }

    boolean run(LocalDate today) {
        requireSchema();
        return database.transaction(session -> {
            boolean mine = session.run("SELECT pg_try_advisory_xact_lock($1)", LOCK)
                    .iterator()
                    .next()
                    .getBoolean(0);
            if (mine) {
                keep(session, Table.USAGE_HISTORY, today, config.usageRetention());
                keep(session, Table.VIOLATION, today, config.violationRetention());
            }
            return mine;
        });
    }

    private void keep(Session session, Table table, LocalDate today, Duration retention) {
        Set<LocalDate> days = Partitions.days(session, table);
        LocalDate oldest = today.minusDays(retention.toDays());
        for (LocalDate day = today.minusDays(1);
                !day.isAfter(today.plusDays(config.daysAhead()));
                day = day.plusDays(1)) {
            if (!days.contains(day) && !day.isBefore(oldest)) {
                Partitions.make(session, table, day);
            }
        }
        days.stream().filter(day -> day.isBefore(oldest)).forEach(day -> Partitions.drop(session, table, day));
    }

    private void requireSchema() {
        if (!schema.isReady()) {
            throw new DatabaseUnavailableException("the schema is not there yet");
        }
    }

    /** The tables with a partition per day. */
    enum Table {
        USAGE_HISTORY,
        VIOLATION;

        private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;

        String sqlName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The partition of one day: {@code violation_20260131}. */
        String partition(LocalDate day) {
            return sqlName() + "_" + DAY.format(day);
        }

        /** The day of the partition with this name. */
        LocalDate day(String partition) {
            return LocalDate.parse(partition.substring(sqlName().length() + 1), DAY);
        }
    }

    /** The days for which a table has a partition. */
    static final class Partitions {
        private static final String NAMES =
                "SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid"
                        + " WHERE inhparent = to_regclass($1)";

        private Partitions() {}

        static Set<LocalDate> days(Session session, Table table) {
            Set<LocalDate> days = new TreeSet<>();
            for (Row row : session.run(NAMES, table.sqlName())) {
                days.add(table.day(row.getString(0)));
            }
            return days;
        }

        static void make(Session session, Table table, LocalDate day) {
            session.run("CREATE TABLE IF NOT EXISTS " + table.partition(day) + " PARTITION OF " + table.sqlName()
                    + " FOR VALUES FROM ('" + day + " 00:00:00+00') TO ('" + day.plusDays(1) + " 00:00:00+00')");
        }

        static void drop(Session session, Table table, LocalDate day) {
            session.run("DROP TABLE IF EXISTS " + table.partition(day));
        }
    }
}
