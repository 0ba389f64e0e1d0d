package io.meridian.config.imports;

import io.meridian.config.rulebook.Actor;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.EntryRows;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.policy.Choice;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Imports and their lines as rows. */
@Singleton
class ImportRows {
    /** An import that has not been heard of for so long is dead: its replica was killed. */
    private static final String DEAD_AFTER = "2 minutes";

    private final Database database;

    ImportRows(Database database) {
        this.database = database;
    }

    /** A new import, unless one is under way. */
    Optional<Long> begin(Actor actor, Kind kind, Mode mode, Instant now) {
        return database.transaction(session -> {
            session.run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')"
                    + " AND updated_at < now() - interval '" + DEAD_AFTER + "'");
            session.run("DELETE FROM import_line l USING import i WHERE i.id = l.import AND i.state = 'failed'");
            for (Row row : session.run(
                    """
                    INSERT INTO import (kind, mode, actor, request_id, state, started_at, updated_at)
                    VALUES ($1, $2, $3, $4, 'reading', $5, now()) ON CONFLICT DO NOTHING RETURNING id""", kind.label(), Choice.text(mode), actor.name(), actor.requestId(), Times.toDatabase(now))) {
                return Optional.of(row.getLong("id"));
            }
            return Optional.empty();
        });
    }

    void stage(long id, List<Line.Good> lines, long read, WrongLines wrong) {
        List<Tuple> rows = new ArrayList<>(lines.size());
        for (Line.Good line : lines) {
            rows.add(Tuple.tuple()
                    .addLong(id)
                    .addLong(line.number())
                    .addString(EntryIds.of(line.entry().key()))
                    .addString(EntryCodec.key(line.entry().key()))
                    .addString(EntryCodec.value(line.entry()))
                    .addValue(EntryRows.expiresAt(line.entry())));
        }
        database.transaction(session -> {
            session.batch(
                    "INSERT INTO import_line (import, line, id, key, document, expires_at)"
                            + " VALUES ($1, $2, $3, $4, $5, $6)",
                    rows);
            return session.run(
                    "UPDATE import SET lines = $2, wrong = $3, errors = $4::text::jsonb, updated_at = now()"
                            + " WHERE id = $1",
                    id,
                    read,
                    wrong.count(),
                    wrong.toJson().toString());
        });
    }

    /** Lines that name what an earlier line names. */
    void findRepeated(long id, WrongLines wrong) {
        database.read(session -> session.run("""
                        SELECT line, first FROM (
                            SELECT line, id, first_value(line) OVER (PARTITION BY id ORDER BY line) AS first
                            FROM import_line WHERE import = $1) AS lines
                        WHERE line <> first ORDER BY line LIMIT 100""", id))
                .forEach(row -> wrong.add(new Line.Wrong(
                        row.getLong("line"), "identifier must not repeat that of line " + row.getLong("first"))));
    }

    void applying(long id) {
        database.read(
                session -> session.run("UPDATE import SET state = 'applying', updated_at = now() WHERE id = $1", id));
    }

    void end(long id, ImportState state, WrongLines wrong) {
        database.transaction(session -> {
            session.run(
                    "UPDATE import SET state = $2, wrong = $3, errors = $4::text::jsonb, updated_at = now()"
                            + " WHERE id = $1",
                    id,
                    Choice.text(state),
                    wrong.count(),
                    wrong.toJson().toString());
            return session.run("DELETE FROM import_line WHERE import = $1", id);
        });
    }

    Optional<ImportView> find(long id) {
        return views("WHERE id = $1", id).stream().findFirst();
    }

    /** The latest first. */
    List<ImportView> latest(long before, int limit) {
        return views("WHERE id < $1 ORDER BY id DESC LIMIT $2", before, limit);
    }

    private List<ImportView> views(String where, Object... arguments) {
        List<ImportView> views = new ArrayList<>();
        database.read((Session session) ->
                        session.run("SELECT " + ImportView.COLUMNS + " FROM import " + where, arguments))
                .forEach(row -> views.add(ImportView.of(row)));
        return views;
    }
}
