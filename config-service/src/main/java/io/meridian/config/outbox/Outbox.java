package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Table of the changes that are not yet published to Kafka, in the order of their commits. */
@Singleton
class Outbox {
    private static final String BACKLOG = "SELECT coalesce(max(position) - min(position) + 1, 0) AS n,"
            + " coalesce((SELECT greatest(0, extract(epoch FROM now() - since) * 1000000)::bigint"
            + " FROM outbox ORDER BY position LIMIT 1), 0) AS micros FROM outbox";

    private final Database database;

    Outbox(Database database) {
        this.database = database;
    }

    /**
     * The first changes. A position never appears below one that was seen, because changes are committed one after the other.
     */
    List<Pending> next(int max) {
        List<Pending> next = new ArrayList<>();
        for (Row row : database.read(session ->
                session.run("SELECT position, revision, key, value FROM outbox ORDER BY position LIMIT $1", max))) {
            next.add(new Pending(
                    row.getLong("position"), row.getLong("revision"), row.getString("key"), row.getString("value")));
        }
        return next;
    }

    /** The revision up to which everything is published; empty while a change waits. */
    OptionalLong fullyPublishedRevision() {
        var rows = database.read(
                        session -> session.run("SELECT revision FROM rulebook WHERE NOT EXISTS (SELECT FROM outbox)"))
                .iterator();
        return rows.hasNext() ? OptionalLong.of(rows.next().getLong("revision")) : OptionalLong.empty();
    }

    /** Deletes published changes. */
    void deleteUpTo(long position) {
        database.read(session -> session.run("DELETE FROM outbox WHERE position <= $1", position));
    }

    /**
     * Approximate number of waiting changes by their positions, because counting a million rows would delay publishing, and
     * the age of the first.
     */
    Backlog backlog() {
        Row row = database.read(session -> session.run(BACKLOG)).iterator().next();
        return new Backlog(row.getLong("n"), row.getLong("micros"));
    }

    record Backlog(long records, long oldestMicros) {}

    /**
     * Change that is not yet published.
     *
     * @param value null where the entry was removed
     */
    record Pending(
            long position,
            long revision,
            String key,
            @Nullable String value) {}
}
