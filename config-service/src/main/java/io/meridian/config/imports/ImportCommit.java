package io.meridian.config.imports;

import io.meridian.config.imports.ListImporter.Mode;
import io.meridian.config.audit.Actor;
import io.meridian.config.rules.EntryKind;
import io.meridian.config.rules.Revisions;
import io.meridian.config.database.Database;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import java.time.Instant;

/**
 * Makes the staged lines entries, in one transaction and a few statements whatever their number. Replaced and removed entries are
 * audited one by one; what is new is told by the one line for the whole and by its revision.
 */
record ImportCommit(Database database, long id, EntryKind kind, Mode mode, Actor actor, Instant now) {
    private static final String STORED_FORM = """
            jsonb_build_object('id', t.id) || (t.document - 'format') || jsonb_build_object('version', t.version,
                'created_at', t.created_at, 'updated_at', t.updated_at, 'created_by', t.created_by)""";

    long run() {
        return database.transaction(ImportTable.PATIENCE, session -> {
            ImportTable.hold(session, id);
            long revision = Revisions.next(session);
            long replaced = replace(session, revision);
            long created = create(session, revision);
            long deleted = mode == Mode.REPLACE ? delete(session, revision) : 0;
            Revisions.touched(session, kind, revision);
            auditWhole(session, revision, created, replaced, deleted);
            session.run("""
                    UPDATE import SET state = 'done', created = $2, replaced = $3, deleted = $4, revision = $5,
                        updated_at = now() WHERE id = $1""", id, created, replaced, deleted, revision);
            session.run("TRUNCATE import_line");
            return revision;
        });
    }

    /** Counts what would become of the lines, and ends the import. */
    void rehearse() {
        database.transaction(ImportTable.PATIENCE, session -> {
            ImportTable.hold(session, id);
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

    /** Those that are there already and differ: audit first, while what was before is still to be read. */
    private long replace(Session session, long revision) {
        audit(session, revision, "replaced", "s.document::jsonb", differing());
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
        session.run(
                """
                INSERT INTO audit (at, actor, request_id, action, kind, entry_id, revision, before)
                SELECT $3, $4, $5, 'deleted', $6, t.id, $1, %1$s FROM %2$s t WHERE %3$s""".formatted(STORED_FORM, kind.table(), surplus),
                revision,
                id,
                Timestamps.toDatabase(now),
                actor.name(),
                actor.requestId(),
                kind.label());
        session.run("""
                INSERT INTO outbox (revision, key, value)
                SELECT $1, $3 || '/' || replace(replace(t.document ->> 'identifier_type', '%%', '%%25'), '/', '%%2F') || '/'
                    || replace(replace(t.document ->> 'identifier', '%%', '%%25'), '/', '%%2F'), NULL
                FROM %1$s t WHERE %2$s""".formatted(kind.table(), surplus), revision, id, kind.label());
        return session.run("DELETE FROM " + kind.table() + " t WHERE " + surplus.replace("$2", "$1"), id)
                .rowCount();
    }

    private void audit(Session session, long revision, String action, String after, String which) {
        session.run(
                """
                    INSERT INTO audit (at, actor, request_id, action, kind, entry_id, revision, before, after)
                    SELECT $3, $4, $5, $6, $7, t.id, $1, %1$s,
                        jsonb_build_object('id', t.id) || (%2$s - 'format') || jsonb_build_object('version', $1::bigint,
                            'created_at', t.created_at, 'updated_at', $3::timestamptz, 'created_by', t.created_by)
                    FROM import_line s JOIN %3$s t USING (id) WHERE %4$s""".formatted(STORED_FORM, after, kind.table(), which),
                revision,
                id,
                Timestamps.toDatabase(now),
                actor.name(),
                actor.requestId(),
                action,
                kind.label());
    }

    private void auditWhole(Session session, long revision, long created, long replaced, long deleted) {
        session.run(
                """
                INSERT INTO audit (at, actor, request_id, action, kind, entry_id, revision, after)
                VALUES ($1, $2, $3, 'imported', $4, $5, $6, jsonb_build_object('created', $7::bigint, 'replaced', $8::bigint,
                    'deleted', $9::bigint))""",
                Timestamps.toDatabase(now),
                actor.name(),
                actor.requestId(),
                kind.label(),
                "import " + id,
                revision,
                created,
                replaced,
                deleted);
    }
}
