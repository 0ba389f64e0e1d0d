package io.meridian.config.outbox;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.rules.EntryTables;
import io.meridian.config.rules.StoredEntry;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.wire.EntryCodec;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Repair of the topic: puts entries into the outbox again with their present content, in order with changes. */
@Singleton
class OutboxRepairs {
    private final Database database;

    OutboxRepairs(Database database) {
        this.database = database;
    }

    /** Puts these entries, or their removal, into the outbox under a new revision, except those that wait there already. */
    int send(Collection<RuleEntry.Key> keys) {
        return database.transaction(session -> {
            session.run("SELECT revision FROM rulebook FOR UPDATE");
            List<RuleEntry.Key> missing = notWaiting(session, keys);
            if (!missing.isEmpty()) {
                insert(session, EntryTables.nextRevision(session), missing);
            }
            return missing.size();
        });
    }

    /** The entries whose records, values by key, differ from the database. */
    Set<RuleEntry.Key> differing(Map<String, String> records) {
        Map<RuleEntry.Key, String> published = new HashMap<>();
        records.forEach(
                (key, value) -> published.put(((RuleEntry.Change.Removed) EntryCodec.decode(key, null)).key(), value));
        Map<RuleEntry.Key, StoredEntry> stored =
                database.read(session -> EntryTables.find(session, published.keySet()));
        return published.keySet().stream()
                .filter(key ->
                        !Optional.ofNullable(value(stored.get(key))).equals(Optional.ofNullable(published.get(key))))
                .collect(Collectors.toSet());
    }

    private static List<RuleEntry.Key> notWaiting(Session session, Collection<RuleEntry.Key> keys) {
        Map<String, RuleEntry.Key> missing = new HashMap<>();
        keys.forEach(key -> missing.put(EntryCodec.key(key), key));
        session.run("SELECT key FROM outbox WHERE key = ANY($1)", (Object)
                        missing.keySet().toArray(String[]::new))
                .forEach(row -> missing.remove(row.getString("key")));
        return List.copyOf(missing.values());
    }

    private static void insert(Session session, long revision, List<RuleEntry.Key> keys) {
        Map<RuleEntry.Key, StoredEntry> stored = EntryTables.find(session, keys);
        List<Tuple> rows = new ArrayList<>();
        for (RuleEntry.Key key : keys) {
            rows.add(Tuple.tuple()
                    .addLong(revision)
                    .addString(EntryCodec.key(key))
                    .addString(value(stored.get(key))));
        }
        session.batch("INSERT INTO outbox (revision, key, value) VALUES ($1, $2, $3)", rows);
    }

    private static @Nullable String value(@Nullable StoredEntry stored) {
        return stored == null ? null : EntryCodec.value(stored.entry());
    }

    /**
     * Raises the counters of revisions and outbox positions to those of the topic: a database that was restored from a backup
     * would otherwise continue from numbers that limiters have already seen.
     */
    void raiseCounters(long revision, long position) {
        database.transaction(session -> {
            session.run("UPDATE rulebook SET revision = $1 WHERE revision < $1", revision);
            return session.run(
                    "SELECT setval(pg_get_serial_sequence('outbox', 'position'), $1) FROM pg_sequences"
                            + " WHERE sequencename = 'outbox_position_seq' AND coalesce(last_value, 0) < $1 AND $1 > 0",
                    position);
        });
    }
}
