package io.meridian.config.history;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Daily partitions of the history, created ahead of time and dropped after their retention. Yesterday has one too, for records
 * that are still on their way on the first day.
 */
@Singleton
class DailyPartitions {
    /** Number of the advisory lock under which one replica works while the others skip: "hist" in ASCII. */
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

    /** Creates and drops partitions; false if another replica is doing it. */
    boolean maintain() {
        return maintain(Timestamps.day(time.wallMicros()));
    }

    /** Makes sure that today has partitions: without them every record would be skipped as out of time. */
    void ensureToday() {
        LocalDate today = Timestamps.day(time.wallMicros());
        if (today.equals(ensured)) {
            return;
        }
        requireSchema();
        boolean there =
                database.read(session -> Table.USAGE_HISTORY.days(session).contains(today)
                        && Table.VIOLATION.days(session).contains(today)
                        && Table.PROMISE_WINDOW.days(session).contains(today));
        if (!there && !maintain(today)) {
            throw new DatabaseUnavailableException("another replica is creating the partitions of today");
        }
        ensured = today;
    }

    boolean maintain(LocalDate today) {
        requireSchema();
        return database.transaction(session -> {
            boolean locked = session.run("SELECT pg_try_advisory_xact_lock($1)", LOCK)
                    .iterator()
                    .next()
                    .getBoolean(0);
            if (locked) {
                keep(session, Table.USAGE_HISTORY, today, config.usageRetention());
                keep(session, Table.VIOLATION, today, config.violationRetention());
                keep(session, Table.PROMISE_ACCOUNT, today, config.promiseAccountRetention());
                keep(session, Table.PROMISE_WINDOW, today, config.promiseRetention());
                keep(session, Table.PROMISE_BREACH, today, config.promiseRetention());
            }
            return locked;
        });
    }

    private void keep(Session session, Table table, LocalDate today, Duration retention) {
        Set<LocalDate> days = table.days(session);
        LocalDate oldest = today.minusDays(retention.toDays());
        for (LocalDate day = today.minusDays(1);
                !day.isAfter(today.plusDays(Math.max(config.daysAhead(), table.daysAhead)));
                day = day.plusDays(1)) {
            if (!days.contains(day) && !day.isBefore(oldest)) {
                table.create(session, day);
            }
        }
        days.stream().filter(day -> day.isBefore(oldest)).forEach(day -> table.drop(session, day));
    }

    private void requireSchema() {
        if (!schema.isReady()) {
            throw new DatabaseUnavailableException("the schema is not migrated yet");
        }
    }

    /** Tables with a partition per day. */
    enum Table {
        USAGE_HISTORY(0),
        VIOLATION(0),
        PROMISE_ACCOUNT(Table.WINDOW_DAYS),
        PROMISE_WINDOW(Table.WINDOW_DAYS),
        PROMISE_BREACH(Table.WINDOW_DAYS);

        /** Windows are stored under the day in which they end; the longest is a month. */
        private static final int WINDOW_DAYS = 33;

        private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
        private static final String PARTITIONS =
                "SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid"
                        + " WHERE inhparent = to_regclass($1)";

        private final int daysAhead;

        Table(int daysAhead) {
            this.daysAhead = daysAhead;
        }

        private String sqlName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The name of the partition of one day: {@code violation_20260131}. */
        private String partition(LocalDate day) {
            return sqlName() + "_" + DAY.format(day);
        }

        /** The days that have a partition. */
        Set<LocalDate> days(Session session) {
            Set<LocalDate> days = new TreeSet<>();
            for (Row row : session.run(PARTITIONS, sqlName())) {
                days.add(LocalDate.parse(row.getString(0).substring(sqlName().length() + 1), DAY));
            }
            return days;
        }

        void create(Session session, LocalDate day) {
            session.run("CREATE TABLE IF NOT EXISTS " + partition(day) + " PARTITION OF " + sqlName()
                    + " FOR VALUES FROM ('" + day + " 00:00:00+00') TO ('" + day.plusDays(1) + " 00:00:00+00')");
        }

        void drop(Session session, LocalDate day) {
            session.run("DROP TABLE IF EXISTS " + partition(day));
        }
    }
}
