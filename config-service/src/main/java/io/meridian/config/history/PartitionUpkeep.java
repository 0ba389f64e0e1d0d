package io.meridian.config.history;

import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.Schema;
import io.meridian.config.store.Session;
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
class PartitionUpkeep {
    /** "history", in a number: whoever holds it does the upkeep, the other replicas leave it at that. */
    private static final long LOCK = 0x68697374L;

    private final Database database;
    private final Schema schema;
    private final HistoryConfig config;
    private final TimeSource time;
    private volatile LocalDate ensured = LocalDate.EPOCH;

    PartitionUpkeep(Database database, Schema schema, HistoryConfig config, TimeSource time) {
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
                session -> Partitions.days(session, HistoryTable.USAGE_HISTORY).contains(today)
                        && Partitions.days(session, HistoryTable.VIOLATION).contains(today));
        if (!there && !run(today)) {
            throw new DatabaseAway("another replica is making the partitions of today");
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
                keep(session, HistoryTable.USAGE_HISTORY, today, config.usageRetention());
                keep(session, HistoryTable.VIOLATION, today, config.violationRetention());
            }
            return mine;
        });
    }

    private void keep(Session session, HistoryTable table, LocalDate today, Duration retention) {
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
            throw new DatabaseAway("the schema is not there yet");
        }
    }
}
