package io.meridian.config.rulebook;

import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.model.rules.RuleEntry;
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
public class Entries {
    private final Database database;
    private final SnapshotKeeper copy;

    Entries(Database database, SnapshotKeeper copy) {
        this.database = database;
        this.copy = copy;
    }

    /** How many changes there were; while PostgreSQL is away, as far as the copy knows. */
    public long revision() {
        return read(Kind.POLICY, () -> database.read(Revisions::current), Snapshot::revision);
    }

    public Found find(RuleEntry.Key key) {
        Kind kind = Kind.of(key);
        String id = EntryIds.of(key);
        String sql = "SELECT " + EntryRows.COLUMNS + " FROM " + kind.table() + " WHERE id = $1";
        return read(
                kind,
                () -> new Found(
                        EntryRows.all(kind, database.read(session -> session.run(sql, id))).stream()
                                .findFirst(),
                        Optional.empty()),
                snapshot -> snapshot.find(kind, id));
    }

    public Page page(Filter filter, Optional<String> after, int limit) {
        return read(
                filter.kind(),
                () -> fromDatabase(filter, after, limit),
                snapshot -> snapshot.page(filter, after, limit));
    }

    /** From PostgreSQL, unless it is known to be away or turns out to be: then from the copy, if that has the kind. */
    private <T> T read(Kind kind, Supplier<T> stored, Function<Snapshot, T> copied) {
        Snapshot snapshot = copy.current();
        if (copy.isAway() && snapshot.has(kind)) {
            return copied.apply(snapshot);
        }
        try {
            return stored.get();
        } catch (DatabaseAway away) {
            if (!snapshot.has(kind)) {
                throw away;
            }
            return copied.apply(snapshot);
        }
    }

    private Page fromDatabase(Filter filter, Optional<String> after, int limit) {
        StringBuilder sql = new StringBuilder("SELECT ")
                .append(EntryRows.COLUMNS)
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
        List<Stored> found = EntryRows.all(
                filter.kind(), database.read(session -> session.run(sql.toString(), arguments.toArray())));
        return Page.of(found, limit, Optional.empty());
    }
}
