package io.meridian.config.outbox;

import org.jspecify.annotations.Nullable;
import io.meridian.config.database.Database;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The changes that Kafka has yet to be told, in the order of their commits. */
@Singleton
class Outbox {
    private static final String BACKLOG = "SELECT coalesce(max(position) - min(position) + 1, 0) AS n,"
            + " coalesce((SELECT greatest(0, extract(epoch FROM now() - since) * 1000000)::bigint"
            + " FROM outbox ORDER BY position LIMIT 1), 0) AS micros FROM outbox";

    private final Database database;

    Outbox(Database database) {
        this.database = database;
    }

    /** The next ones. A position never appears below one that was seen: changes are committed one after the other. */
    List<Pending> next(int max) {
        List<Pending> next = new ArrayList<>();
        for (Row row : database.read(session ->
                session.run("SELECT position, revision, key, value FROM outbox ORDER BY position LIMIT $1", max))) {
            next.add(new Pending(
                    row.getLong("position"), row.getLong("revision"), row.getString("key"), row.getString("value")));
        }
        return next;
    }

    /** The revision up to which Kafka has been told everything; empty while something waits. */
    OptionalLong allTold() {
        var rows = database.read(
                        session -> session.run("SELECT revision FROM rulebook WHERE NOT EXISTS (SELECT FROM outbox)"))
                .iterator();
        return rows.hasNext() ? OptionalLong.of(rows.next().getLong("revision")) : OptionalLong.empty();
    }

    /** Forgets what Kafka has. */
    void forget(long position) {
        database.read(session -> session.run("DELETE FROM outbox WHERE position <= $1", position));
    }

    /** How many wait, give or take, and for how long the first of them has; counting a million would hold up their publishing. */
    Backlog backlog() {
        Row row = database.read(session -> session.run(BACKLOG)).iterator().next();
        return new Backlog(row.getLong("n"), row.getLong("micros"));
    }

    /** Changes that Kafka has yet to be told. */
    record Backlog(long records, long oldestMicros) {}

    /**
     * A change that Kafka has yet to be told.
     *
     * @param value null where the entry was removed
     */
    record Pending(
            long position, long revision, String key, @Nullable String value) {}
}
