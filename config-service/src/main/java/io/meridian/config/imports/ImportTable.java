package io.meridian.config.imports;

import io.meridian.config.imports.ImportLine.WrongLines;
import io.meridian.config.imports.ImportStatus.State;
import io.meridian.config.imports.ListImporter.ImportFailedException;
import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.config.audit.Actor;
import io.meridian.config.rules.EntryIds;
import io.meridian.config.rules.EntryTables;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.database.Database;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.policy.Choice;
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

/** ListImporter and their lines as rows. */
@Singleton
class ImportTable {
    /** An import that has not been heard of for so long is dead: its replica was killed. */
    private static final String DEAD_AFTER = "2 minutes";
    /** For what is as large as the import. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Database database;

    ImportTable(Database database) {
        this.database = database;
    }

    /**
     * A new import, unless one is under way. Whoever has the one place may empty the table of lines: what is in it is of
     * imports that are over.
     */
    Optional<Long> begin(Actor actor, EntryKind kind, Mode mode, Instant now) {
        return database.transaction(session -> {
            session.run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')"
                    + " AND updated_at < now() - interval '" + DEAD_AFTER + "'");
            for (Row row : session.run(
                    """
                    INSERT INTO import (kind, mode, actor, request_id, state, started_at, updated_at)
                    VALUES ($1, $2, $3, $4, 'reading', $5, now()) ON CONFLICT DO NOTHING RETURNING id""", kind.label(), Choice.text(mode), actor.name(), actor.requestId(), Timestamps.toDatabase(now))) {
                session.run("TRUNCATE import_line");
                return Optional.of(row.getLong("id"));
            }
            return Optional.empty();
        });
    }

    /** Keeps lines, and says that the import goes on; fails if it was taken for dead meanwhile. */
    void stage(long id, List<ImportLine.Good> lines, long read, WrongLines wrong) {
        List<Tuple> rows = new ArrayList<>(lines.size());
        for (ImportLine.Good line : lines) {
            rows.add(Tuple.tuple()
                    .addLong(id)
                    .addLong(line.number())
                    .addString(EntryIds.of(line.entry().key()))
                    .addString(EntryCodec.key(line.entry().key()))
                    .addString(EntryCodec.value(line.entry()))
                    .addValue(EntryTables.expiresAt(line.entry())));
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
                .forEach(row -> wrong.add(new ImportLine.Wrong(
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
                throw new ImportFailedException("PostgreSQL has " + kept + " of " + row.getLong("lines") + " lines");
            }
            return;
        }
        throw takenForDead();
    }

    /** Ends an import that was not applied; one that is over stays as it is. */
    void end(long id, State state, WrongLines wrong) {
        database.transaction(session -> {
            RowSet<Row> ended = session.run(
                    "UPDATE import SET state = $2, wrong = $3, errors = $4::text::jsonb, updated_at = now()"
                            + " WHERE id = $1 AND state IN ('reading', 'applying')",
                    id,
                    Choice.text(state),
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

    private static ImportFailedException takenForDead() {
        return new ImportFailedException("nothing was heard of the import for " + DEAD_AFTER + ", and another one began");
    }

    Optional<ImportStatus> find(long id) {
        return views("WHERE id = $1", id).stream().findFirst();
    }

    /** The latest first. */
    List<ImportStatus> latest(long before, int limit) {
        return views("WHERE id < $1 ORDER BY id DESC LIMIT $2", before, limit);
    }

    private List<ImportStatus> views(String where, Object... arguments) {
        List<ImportStatus> views = new ArrayList<>();
        database.read((Session session) ->
                        session.run("SELECT " + ImportStatus.COLUMNS + " FROM import " + where, arguments))
                .forEach(row -> views.add(ImportStatus.of(row)));
        return views;
    }
}
