package io.meridian.config.imports;

import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.imports.ImportLine.WrongLines;
import io.meridian.config.imports.ImportStatus.State;
import io.meridian.config.imports.ListImporter.ImportFailedException;
import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryTables;
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

/** Tables of imports and of their staged lines. */
@Singleton
class ImportTable {
    /** An import without progress for this time is dead: its replica was killed. */
    private static final String DEAD_AFTER = "2 minutes";
    /** Statement timeout of statements over all lines. */
    static final Duration STATEMENT_TIMEOUT = Duration.ofMinutes(5);

    private final Database database;

    ImportTable(Database database) {
        this.database = database;
    }

    /**
     * Creates an import, unless one is running. The only running import may empty the table of lines, which are those of
     * ended imports.
     */
    Optional<Long> begin(Actor actor, EntryKind kind, Mode mode, Instant now) {
        return database.transaction(session -> {
            session.run("UPDATE import SET state = 'failed' WHERE state IN ('reading', 'applying')"
                    + " AND updated_at < now() - interval '" + DEAD_AFTER + "'");
            for (Row row : session.run(
                    """
                    INSERT INTO import (kind, mode, actor, request_id, state, started_at, updated_at)
                    VALUES ($1, $2, $3, $4, 'reading', $5, now()) ON CONFLICT DO NOTHING RETURNING id""",
                    kind.label(),
                    EnumNames.text(mode),
                    actor.name(),
                    actor.requestId(),
                    Timestamps.toDatabase(now))) {
                session.run("TRUNCATE import_line");
                return Optional.of(row.getLong("id"));
            }
            return Optional.empty();
        });
    }

    /** Stages lines and updates the progress; fails if the import was taken for dead meanwhile. */
    void stage(long id, List<ImportLine.Good> lines, long read, WrongLines wrong) {
        List<Tuple> rows = new ArrayList<>(lines.size());
        for (ImportLine.Good line : lines) {
            rows.add(Tuple.tuple()
                    .addLong(id)
                    .addLong(line.number())
                    .addString(EntryKind.id(line.entry().key()))
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

    /** Finds lines that name the identifier of an earlier line. */
    void findRepeated(long id, WrongLines wrong) {
        database.transaction(STATEMENT_TIMEOUT, session -> session.run("""
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
     * Locks the import until the transaction ends, so that it is not taken for dead, and checks that it has all its lines:
     * the table of lines is unlogged, so PostgreSQL loses them in a crash.
     */
    static void lock(Session session, long id) {
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

    /** Ends an import that was not applied; an ended one is not changed. */
    void end(long id, State state, WrongLines wrong) {
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

    private static ImportFailedException takenForDead() {
        return new ImportFailedException("the import made no progress for " + DEAD_AFTER + ", and another one began");
    }

    Optional<ImportStatus> find(long id) {
        return views("WHERE id = $1", id).stream().findFirst();
    }

    /** Latest first. */
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
