package io.meridian.config.rules;

import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
import io.meridian.model.rulebook.Change;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.EntryKey;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** EntryReader as rows of their tables. */
public final class EntryTables {
    /** What {@link #stored} reads. */
    public static final String COLUMNS = "id, document::text AS document, version, created_at, updated_at, created_by";

    private EntryTables() {}

    public static StoredEntry stored(EntryKind kind, Row row) {
        String key = EntryCodec.key(EntryIds.read(kind, row.getString("id")));
        Entry entry = ((Change.Put) EntryCodec.decode(key, row.getString("document"))).entry();
        return new StoredEntry(
                entry,
                row.getLong("version"),
                Timestamps.of(row, "created_at"),
                Timestamps.of(row, "updated_at"),
                Optional.ofNullable(row.getString("created_by")));
    }

    public static List<StoredEntry> all(EntryKind kind, RowSet<Row> rows) {
        List<StoredEntry> all = new ArrayList<>(rows.size());
        rows.forEach(row -> all.add(stored(kind, row)));
        return all;
    }

    static void find(Session session, EntryKind kind, Collection<String> ids, Map<EntryKey, StoredEntry> into) {
        if (!ids.isEmpty()) {
            String sql = "SELECT " + COLUMNS + " FROM " + kind.table() + " WHERE id = ANY($1)";
            all(kind, session.run(sql, (Object) ids.toArray(String[]::new)))
                    .forEach(each -> into.put(each.entry().key(), each));
        }
    }

    /** When an entry ends by itself, null if it does not. */
    public static @Nullable OffsetDateTime expiresAt(Entry entry) {
        if (entry instanceof Entry.OfOverride of) {
            return of.override().expiry().time().map(Timestamps::toDatabase).orElse(null);
        }
        if (entry instanceof Entry.OfList of) {
            return of.entry().expiry().time().map(Timestamps::toDatabase).orElse(null);
        }
        return null;
    }
}
