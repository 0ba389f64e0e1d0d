package io.meridian.config.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.config.audit.Actor;
import io.meridian.config.audit.AuditTrail;
import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.EntryTables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Commit of an import: makes the staged lines entries, in one transaction and a few statements whatever their number.
 * Replaced and deleted entries are audited one by one; created entries are covered by the one row of the import and its
 * revision.
 */
record ImportCommit(Database database, long id, EntryKind kind, Mode mode, Actor actor, Instant now) {
    private static final String STORED_FORM = """
            jsonb_build_object('id', t.id) || (t.document - 'format') || jsonb_build_object('version', t.version,
                'created_at', t.created_at, 'updated_at', t.updated_at, 'created_by', t.created_by)""";

    long run() {
        return database.transaction(ImportTable.STATEMENT_TIMEOUT, session -> {
            ImportTable.lock(session, id);
            long revision = EntryTables.nextRevision(session);
            long replaced = replace(session, revision);
            long created = create(session, revision);
            long deleted = mode == Mode.REPLACE ? delete(session, revision) : 0;
            EntryTables.markChanged(session, kind, revision);
            auditImport(session, revision, created, replaced, deleted);
            session.run("""
                    UPDATE import SET state = 'done', created = $2, replaced = $3, deleted = $4, revision = $5,
                        updated_at = now() WHERE id = $1""", id, created, replaced, deleted, revision);
            session.run("TRUNCATE import_line");
            return revision;
        });
    }

    /** Counts the entries that would change, and ends the import. */
    void dryRun() {
        database.transaction(ImportTable.STATEMENT_TIMEOUT, session -> {
            ImportTable.lock(session, id);
            session.run("""
                    UPDATE import SET state = 'rehearsed', updated_at = now(),
                        created = (SELECT count(*) FROM import_line s
                            WHERE s.import = $1 AND NOT EXISTS (SELECT 1 FROM %1$s t WHERE t.id = s.id)),
                        replaced = (SELECT count(*) FROM import_line s JOIN %1$s t USING (id)
                            WHERE s.import = $1 AND t.document <> s.document::jsonb),
                        deleted = CASE WHEN $2 THEN (SELECT count(*) FROM %1$s t WHERE NOT EXISTS
                            (SELECT 1 FROM import_line s WHERE s.import = $1 AND s.id = t.id)) ELSE 0 END
                    WHERE id = $1""".formatted(kind.table()), id, mode == Mode.REPLACE);
            return session.run("TRUNCATE import_line");
        });
    }

    /** Replaces entries that differ; audited first, while the former entries can still be read. */
    private long replace(Session session, long revision) {
        AuditTrail.appendSelected(
                session,
                actor,
                now,
                "replaced",
                kind.label(),
                revision,
                """
                SELECT t.id AS entry_id, %1$s AS before,
                    jsonb_build_object('id', t.id) || (s.document::jsonb - 'format') || jsonb_build_object('version',
                        ?::bigint, 'created_at', t.created_at, 'updated_at', ?::timestamptz, 'created_by', t.created_by)
                        AS after
                FROM import_line s JOIN %2$s t USING (id)
                WHERE s.import = ? AND t.document <> s.document::jsonb""".formatted(STORED_FORM, kind.table()),
                revision,
                Timestamps.toDatabase(now),
                id);
        session.run("""
                INSERT INTO outbox (revision, key, value) SELECT $1, s.key, s.document
                FROM import_line s JOIN %1$s t USING (id) WHERE %2$s ORDER BY s.line""".formatted(kind.table(), differing()), revision, id);
        return session.run("""
                        UPDATE %1$s t SET document = s.document::jsonb, version = $1, updated_at = $3,
                            expires_at = s.expires_at
                        FROM import_line s WHERE s.id = t.id AND %2$s""".formatted(kind.table(), differing()), revision, id, Timestamps.toDatabase(now))
                .rowCount();
    }

    private static String differing() {
        return "s.import = $2 AND t.document <> s.document::jsonb";
    }

    private long create(Session session, long revision) {
        String absent = "s.import = $2 AND NOT EXISTS (SELECT 1 FROM " + kind.table() + " t WHERE t.id = s.id)";
        session.run(
                "INSERT INTO outbox (revision, key, value) SELECT $1, s.key, s.document FROM import_line s WHERE "
                        + absent + " ORDER BY s.line",
                revision,
                id);
        return session.run(
                        "INSERT INTO " + kind.table()
                                + " (id, document, version, created_at, updated_at, expires_at, created_by) SELECT"
                                + " s.id, s.document::jsonb, $1, $3, $3, s.expires_at, $4 FROM import_line s WHERE "
                                + absent,
                        revision,
                        id,
                        Timestamps.toDatabase(now),
                        actor.name())
                .rowCount();
    }

    private long delete(Session session, long revision) {
        String surplus = "NOT EXISTS (SELECT 1 FROM import_line s WHERE s.import = $2 AND s.id = t.id)";
        AuditTrail.appendSelected(
                session,
                actor,
                now,
                "deleted",
                kind.label(),
                revision,
                "SELECT t.id AS entry_id, %1$s AS before, NULL::jsonb AS after FROM %2$s t WHERE %3$s"
                        .formatted(STORED_FORM, kind.table(), surplus.replace("$2", "?")),
                id);
        session.run("""
                INSERT INTO outbox (revision, key, value)
                SELECT $1, $3 || '/' || replace(replace(t.document ->> 'identifier_type', '%%', '%%25'), '/', '%%2F') || '/'
                    || replace(replace(t.document ->> 'identifier', '%%', '%%25'), '/', '%%2F'), NULL
                FROM %1$s t WHERE %2$s""".formatted(kind.table(), surplus), revision, id, kind.label());
        return session.run("DELETE FROM " + kind.table() + " t WHERE " + surplus.replace("$2", "$1"), id)
                .rowCount();
    }

    private void auditImport(Session session, long revision, long created, long replaced, long deleted) {
        ObjectNode counts = JsonNodeFactory.instance
                .objectNode()
                .put("created", created)
                .put("replaced", replaced)
                .put("deleted", deleted);
        AuditTrail.Row row = new AuditTrail.Row(
                "imported", kind.label(), "import " + id, revision, Optional.empty(), Optional.of(counts));
        AuditTrail.append(session, actor, now, List.of(row));
    }
}
