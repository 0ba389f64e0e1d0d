package io.meridian.config.api;

import io.meridian.config.database.Database;

/**
 * What every change leaves behind: tests compare two of them to tell whether anything was done.
 *
 * @param changes audit rows that are not of refused calls
 * @param position the outbox's last position
 */
record Ledger(long revision, long changes, long position) {
    static Ledger of(Database database) {
        return new Ledger(
                number(database, "SELECT revision FROM rulebook"),
                number(database, "SELECT count(*) FROM audit WHERE action <> 'refused'"),
                number(database, "SELECT last_value FROM outbox_position_seq"));
    }

    static long number(Database database, String sql, Object... arguments) {
        return database.read(session -> session.run(sql, arguments))
                .iterator()
                .next()
                .getLong(0);
    }
}
