package io.meridian.config.rules;

import io.meridian.config.rules.SnapshotCache.Snapshot;
import java.time.Instant;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.model.rulebook.EntryKey;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads entries; while PostgreSQL is away, from the copy. */
@Singleton
public class EntryReader {
    private final Database database;
    private final SnapshotCache copy;

    EntryReader(Database database, SnapshotCache copy) {
        this.database = database;
        this.copy = copy;
    }

    /** How many changes there were; while PostgreSQL is away, as far as the copy knows. */
    public long revision() {
        return read(EntryKind.POLICY, () -> database.read(Revisions::current), Snapshot::revision);
    }

    public Found find(EntryKey key) {
        EntryKind kind = EntryKind.of(key);
        String id = EntryIds.of(key);
        String sql = "SELECT " + EntryTables.COLUMNS + " FROM " + kind.table() + " WHERE id = $1";
        return read(
                kind,
                () -> new Found(
                        EntryTables.all(kind, database.read(session -> session.run(sql, id))).stream()
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

    /** From PostgreSQL, unless it is known to be away or turns out to be: then from the copy, if that has the kind. */
    private <T> T read(EntryKind kind, Supplier<T> stored, Function<Snapshot, T> copied) {
        Snapshot snapshot = copy.current();
        if (copy.isAway() && snapshot.has(kind)) {
            return copied.apply(snapshot);
        }
        try {
            return stored.get();
        } catch (DatabaseUnavailableException away) {
            if (!snapshot.has(kind)) {
                throw away;
            }
            return copied.apply(snapshot);
        }
    }

    private Page fromDatabase(EntryFilter filter, Optional<String> after, int limit) {
        StringBuilder sql = new StringBuilder("SELECT ")
                .append(EntryTables.COLUMNS)
                .append(" FROM ")
                .append(filter.kind().table())
                .append(" WHERE id > $1");
        List<Object> arguments = new ArrayList<>();
        arguments.add(after.orElse(""));
        for (Map.Entry<String, String> each : new TreeMap<>(filter.values()).entrySet()) {
            arguments.add(each.getValue());
            sql.append(" AND document ->> '")
                    .append(each.getKey())
                    .append("' = $")
                    .append(arguments.size());
        }
        arguments.add(limit + 1);
        sql.append(" ORDER BY id LIMIT $").append(arguments.size());
        List<StoredEntry> found = EntryTables.all(
                filter.kind(), database.read(session -> session.run(sql.toString(), arguments.toArray())));
        return Page.of(found, limit, Optional.empty());
    }

    /** An entry that was asked for, if there is one; and since when the copy that answered may be out of date. */
    public record Found(Optional<StoredEntry> entry, Optional<Instant> asOf) {}

    /**
     * Some entries in the order of their ids.
     *
     * @param next the id after which the next page begins, empty on the last
     * @param asOf when the copy that answered was last known to be true; empty if PostgreSQL answered
     */
    public record Page(List<StoredEntry> items, Optional<String> next, Optional<Instant> asOf) {
        public Page {
            items = List.copyOf(items);
        }

        /** Of what may be one more than a page has. */
        static Page of(List<StoredEntry> found, int limit, Optional<Instant> asOf) {
            boolean more = found.size() > limit;
            List<StoredEntry> items = more ? found.subList(0, limit) : found;
            return new Page(items, more ? Optional.of(items.get(limit - 1).id()) : Optional.empty(), asOf);
        }
    }
}
