package io.meridian.config.rules;

import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.SqlStatement;
import io.meridian.config.rules.SnapshotCache.Snapshot;
import io.meridian.model.rules.RuleEntry;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Queries of entries: from PostgreSQL, and from the copy in memory while PostgreSQL is unavailable. */
@Singleton
public class EntryQueries {
    /** U+10FFFF, which is no character of any text. */
    private static final String LAST_CHARACTER = "\uDBFF\uDFFF";

    private final Database database;
    private final SnapshotCache copy;

    EntryQueries(Database database, SnapshotCache copy) {
        this.database = database;
        this.copy = copy;
    }

    /** The revision of the rules. */
    public long revision() {
        return read(EntryKind.POLICY, () -> database.read(EntryTables::revision), Snapshot::revision);
    }

    public Found find(RuleEntry.Key key) {
        EntryKind kind = EntryKind.of(key);
        String id = EntryKind.id(key);
        String sql = "SELECT " + EntryTables.COLUMNS + " FROM " + kind.table() + " WHERE id = $1";
        return read(
                kind,
                () -> new Found(
                        EntryTables.read(kind, database.read(session -> session.run(sql, id))).stream()
                                .findFirst(),
                        Optional.empty()),
                snapshot -> snapshot.find(kind, id));
    }

    public Page page(EntryFilter filter, Optional<String> after, int limit) {
        return read(
                filter.kind(),
                () -> fromDatabase(filter, after, limit),
                snapshot -> snapshot.page(filter, after, limit));
    }

    /** Reads from PostgreSQL; from the copy where PostgreSQL is known to be unavailable or fails, if the copy has the kind. */
    private <T> T read(EntryKind kind, Supplier<T> stored, Function<Snapshot, T> copied) {
        Snapshot snapshot = copy.current();
        if (copy.isDatabaseUnavailable() && snapshot.has(kind)) {
            return copied.apply(snapshot);
        }
        try {
            return stored.get();
        } catch (DatabaseUnavailableException unavailable) {
            if (!snapshot.has(kind)) {
                throw unavailable;
            }
            return copied.apply(snapshot);
        }
    }

    private Page fromDatabase(EntryFilter filter, Optional<String> after, int limit) {
        String table = filter.kind().table();
        SqlStatement statement =
                SqlStatement.of("SELECT " + EntryTables.COLUMNS + " FROM " + table + " WHERE id > ?", after.orElse(""));
        new TreeMap<>(filter.values()).forEach((field, value) -> {
            if (field.equals(EntryFilter.PREFIX)) {
                // A range of the primary key, which is ordered by bytes: a search among a million entries reads one
                // page.
                statement.add("AND id >= ? AND id < ?", value, value + LAST_CHARACTER);
            } else if (field.equals(EntryFilter.TENANT)) {
                statement.add("AND document #> '{applies_to,attributes,tenant}' = jsonb_build_array(?::text)", value);
            } else {
                statement.add("AND document ->> '" + field + "' = ?", value);
            }
        });
        statement.add("ORDER BY id LIMIT ?", limit + 1);
        List<StoredEntry> found = EntryTables.read(filter.kind(), database.read(statement::run));
        return Page.of(found, limit, Optional.empty());
    }

    /**
     * Result of a search for one entry.
     *
     * @param asOf when the copy that answered was last known to be current; empty if PostgreSQL answered
     */
    public record Found(Optional<StoredEntry> entry, Optional<Instant> asOf) {}

    /**
     * Page of entries in the order of their ids.
     *
     * @param next the id after which the next page begins, empty for the last page
     * @param asOf when the copy that answered was last known to be current; empty if PostgreSQL answered
     */
    public record Page(List<StoredEntry> items, Optional<String> next, Optional<Instant> asOf) {
        public Page {
            items = List.copyOf(items);
        }

        /** Cuts a page off a list that has one more item than the page if another page follows. */
        static Page of(List<StoredEntry> found, int limit, Optional<Instant> asOf) {
            boolean more = found.size() > limit;
            List<StoredEntry> items = more ? found.subList(0, limit) : found;
            return new Page(items, more ? Optional.of(items.get(limit - 1).id()) : Optional.empty(), asOf);
        }
    }
}
