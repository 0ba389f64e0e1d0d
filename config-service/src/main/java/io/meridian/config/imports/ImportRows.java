package io.meridian.config.imports;

import io.meridian.config.rulebook.Actor;
import io.meridian.config.rulebook.EntryIds;
import io.meridian.config.rulebook.EntryRows;
import io.meridian.config.rulebook.Kind;
import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Imports and their lines as rows. */
@Singleton
class ImportRows {
    /** An import that has not been heard of for so long is dead: its replica was killed. */
    private static final String DEAD_AFTER = "2 minutes";
    /** For what is as large as the import. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Database database;

    ImportRows(Database database) {
        this.database = database;
    }

    /**
     * A new import, unless one is under way. Whoever has the one place may empty the table of lines: what is in it is of
     * imports that are over.
     */
    Optional<Long> begin(Actor actor, Kind kind, Mode mode, Instant now) {
        return database.transaction(session -> {
            session.run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')"
                    + " AND updated_at < now() - interval '" + DEAD_AFTER + "'");
            for (Row row : session.run(
                    """
                    INSERT INTO import (kind, mode, actor, request_id, state, started_at, updated_at)
                    VALUES ($1, $2, $3, $4, 'reading', $5, now()) ON CONFLICT DO NOTHING RETURNING id""", kind.label(), EnumNames.text(mode), actor.name(), actor.requestId(), Times.toDatabase(now))) {
                session.run("TRUNCATE import_line");
                return Optional.of(row.getLong("id"));
            }
            return Optional.empty();
        });
    }

    /** Keeps lines, and says that the import goes on; fails if it was taken for dead meanwhile. */
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
            requireOne(session.run(
                    "UPDATE import SET lines = $2, wrong = $3, errors = $4::text::jsonb, updated_at = now()"
                            + " WHERE id = $1 AND state = 'reading'",
                    id,
                    read,
                    wrong.count(),
                    wrong.toJson().toString()));
            session.batch(
                    "INSERT INTO import_line (import, line, id, key, document, expires_at)"
                            + " VALUES ($1, $2, $3, $4, $5, $6)",
                    rows);
            return id;
        });
    }

    /** Lines that name what an earlier line names. */
    void findRepeated(long id, WrongLines wrong) {
        database.transaction(PATIENCE, session -> session.run("""
                        SELECT line, first FROM (
                            SELECT line, id, first_value(line) OVER (PARTITION BY id ORDER BY line) AS first
                            FROM import_line WHERE import = $1) AS lines
                        WHERE line <> first ORDER BY line LIMIT 100""", id))
                .forEach(row -> wrong.add(new Line.Wrong(
                        row.getLong("line"), "identifier must not repeat that of line " + row.getLong("first"))));
    }

    void applying(long id) {
        requireOne(database.read(session -> session.run(
                "UPDATE import SET state = 'applying', updated_at = now() WHERE id = $1 AND state = 'reading'", id)));
    }

    /**
     * Holds the import until the transaction ends, so that nobody takes it for dead, and makes sure that it has all its
     * lines: a PostgreSQL that crashed has none.
     */
    static void hold(Session session, long id) {
        for (Row row : session.run("SELECT lines FROM import WHERE id = $1 AND state = 'applying' FOR UPDATE", id)) {
            long kept = session.run("SELECT count(*) AS n FROM import_line WHERE import = $1", id)
                    .iterator()
                    .next()
                    .getLong("n");
            if (kept != row.getLong("lines")) {
                throw new ImportBroken("PostgreSQL has " + kept + " of " + row.getLong("lines") + " lines");
            }
            return;
        }
        throw takenForDead();
    }

    /** Ends an import that was not applied; one that is over stays as it is. */
    void end(long id, ImportState state, WrongLines wrong) {
        database.transaction(session -> {
            RowSet<Row> ended = session.run(
                    "UPDATE import SET state = $2, wrong = $3, errors = $4::text::jsonb, updated_at = now()"
                            + " WHERE id = $1 AND state IN ('reading', 'applying')",
                    id,
                    EnumNames.text(state),
                    wrong.count(),
                    wrong.toJson().toString());
            return ended.rowCount() == 0 ? ended : session.run("TRUNCATE import_line");
        });
    }

    private static void requireOne(RowSet<Row> changed) {
        if (changed.rowCount() != 1) {
            throw takenForDead();
        }
    }

    private static ImportBroken takenForDead() {
        return new ImportBroken("nothing was heard of the import for " + DEAD_AFTER + ", and another one began");
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
