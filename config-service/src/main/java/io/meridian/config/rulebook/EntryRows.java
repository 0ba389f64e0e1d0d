package io.meridian.config.rulebook;

import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.rules.RuleEntry;
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

/** Entries as rows of their tables. */
public final class EntryRows {
    /** What {@link #stored} reads. */
    public static final String COLUMNS = "id, document::text AS document, version, created_at, updated_at, created_by";

    private EntryRows() {}

    public static Stored stored(Kind kind, Row row) {
        String key = EntryCodec.key(EntryIds.read(kind, row.getString("id")));
        RuleEntry entry = ((RuleEntry.Change.Put) EntryCodec.decode(key, row.getString("document"))).entry();
        return new Stored(
                entry,
                row.getLong("version"),
                Times.of(row, "created_at"),
                Times.of(row, "updated_at"),
                Optional.ofNullable(row.getString("created_by")));
    }

    public static List<Stored> all(Kind kind, RowSet<Row> rows) {
        List<Stored> all = new ArrayList<>(rows.size());
        rows.forEach(row -> all.add(stored(kind, row)));
        return all;
    }

    static void find(Session session, Kind kind, Collection<String> ids, Map<RuleEntry.Key, Stored> into) {
        if (!ids.isEmpty()) {
            String sql = "SELECT " + COLUMNS + " FROM " + kind.table() + " WHERE id = ANY($1)";
            all(kind, session.run(sql, (Object) ids.toArray(String[]::new)))
                    .forEach(each -> into.put(each.entry().key(), each));
        }
    }

    /** When an entry ends by itself, null if it does not. */
    public static @Nullable OffsetDateTime expiresAt(RuleEntry entry) {
        if (entry instanceof RuleEntry.OfOverride of) {
            return of.override().expiry().time().map(Times::toDatabase).orElse(null);
        }
        if (entry instanceof RuleEntry.OfList of) {
            return of.entry().expiry().time().map(Times::toDatabase).orElse(null);
        }
        return null;
    }
}
