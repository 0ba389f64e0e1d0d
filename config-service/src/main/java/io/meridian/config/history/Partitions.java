package io.meridian.config.history;

import io.meridian.config.store.Session;
import io.vertx.mutiny.sqlclient.Row;
import java.time.LocalDate;
import java.util.Set;
import java.util.TreeSet;

/** The days for which a table has a partition. */
final class Partitions {
    private static final String NAMES =
            "SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid"
                    + " WHERE inhparent = to_regclass($1)";

    private Partitions() {}

    static Set<LocalDate> days(Session session, HistoryTable table) {
        Set<LocalDate> days = new TreeSet<>();
        for (Row row : session.run(NAMES, table.sqlName())) {
            days.add(table.day(row.getString(0)));
        }
        return days;
    }

    static void make(Session session, HistoryTable table, LocalDate day) {
        session.run("CREATE TABLE IF NOT EXISTS " + table.partition(day) + " PARTITION OF " + table.sqlName()
                + " FOR VALUES FROM ('" + day + " 00:00:00+00') TO ('" + day.plusDays(1) + " 00:00:00+00')");
    }

    static void drop(Session session, HistoryTable table, LocalDate day) {
        session.run("DROP TABLE IF EXISTS " + table.partition(day));
    }
}
