package io.meridian.config.rules;

import io.meridian.config.database.Database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tables of entries, one per kind, and the revision counters: of the rules as a whole, and of the last change of each kind. */
public final class EntryTables {
    /** The columns that {@link #read} needs. */
    public static final String COLUMNS = "id, document::text AS document, version, created_at, updated_at, created_by";

    private EntryTables() {}

    public static List<StoredEntry> read(EntryKind kind, RowSet<Row> rows) {
        List<StoredEntry> entries = new ArrayList<>(rows.size());
        rows.forEach(row -> entries.add(read(kind, row)));
        return entries;
    }

    private static StoredEntry read(EntryKind kind, Row row) {
        String key = EntryCodec.key(kind.key(row.getString("id")));
        RuleEntry entry = ((RuleEntry.Change.Put) EntryCodec.decode(key, row.getString("document"))).entry();
        return new StoredEntry(
                entry,
                row.getLong("version"),
                Timestamps.of(row, "created_at"),
                Timestamps.of(row, "updated_at"),
                Optional.ofNullable(row.getString("created_by")));
    }

    /** The entries that exist of these keys, with one statement per kind. */
    public static Map<RuleEntry.Key, StoredEntry> find(Session session, Collection<RuleEntry.Key> keys) {
        Map<RuleEntry.Key, StoredEntry> found = new HashMap<>();
        keys.stream()
                .collect(Collectors.groupingBy(EntryKind::of, Collectors.mapping(EntryKind::id, Collectors.toList())))
                .forEach((kind, ids) -> find(session, kind, ids, found));
        return found;
    }

    static void find(Session session, EntryKind kind, Collection<String> ids, Map<RuleEntry.Key, StoredEntry> into) {
        if (!ids.isEmpty()) {
            String sql = "SELECT " + COLUMNS + " FROM " + kind.table() + " WHERE id = ANY($1)";
            read(kind, session.run(sql, (Object) ids.toArray(String[]::new)))
                    .forEach(each -> into.put(each.entry().key(), each));
        }
    }

    /** When an entry expires; null if it does not. */
    public static @Nullable OffsetDateTime expiresAt(RuleEntry entry) {
        if (entry instanceof RuleEntry.OfOverride of) {
            return of.override().expiry().time().map(Timestamps::toDatabase).orElse(null);
        }
        if (entry instanceof RuleEntry.OfList of) {
            return of.entry().expiry().time().map(Timestamps::toDatabase).orElse(null);
        }
        return null;
    }

    public static long revision(Session session) {
        return session.run("SELECT revision FROM rulebook").iterator().next().getLong("revision");
    }

    /** Takes the next revision. Every other change waits for this row until the transaction ends. */
    public static long nextRevision(Session session) {
        return session.run("UPDATE rulebook SET revision = revision + 1 RETURNING revision")
                .iterator()
                .next()
                .getLong("revision");
    }

    /** Returns the revision that was taken, because nothing changed. */
    static void returnRevision(Session session) {
        session.run("UPDATE rulebook SET revision = revision - 1");
    }

    /** Marks a kind as changed by a revision. */
    public static void markChanged(Session session, EntryKind kind, long revision) {
        session.run("UPDATE kind_revision SET revision = $1 WHERE kind = $2", revision, kind.label());
    }
}
