package io.meridian.config.rulebook;

import io.meridian.config.store.Database;
import io.meridian.config.store.Session;
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

/** Tells Kafka again what the database says of entries, in turn with changes. */
@Singleton
public class Repairs {
    private final Database database;

    Repairs(Database database) {
        this.database = database;
    }

    /** Puts these entries into the outbox as they are, or their removal; those that wait there already are left alone. */
    public int send(Collection<RuleEntry.Key> keys) {
        return database.transaction(session -> {
            session.run("SELECT revision FROM rulebook FOR UPDATE");
            List<RuleEntry.Key> missing = notWaiting(session, keys);
            if (!missing.isEmpty()) {
                insert(session, Revisions.next(session), missing);
            }
            return missing.size();
        });
    }

    /** Those of the records of the topic that say something else than the database. */
    public Set<RuleEntry.Key> differing(Map<String, String> records) {
        Map<RuleEntry.Key, String> told = new HashMap<>();
        records.forEach((key, value) -> told.put(((RuleEntry.Change.Removed) EntryCodec.decode(key, null)).key(), value));
        Map<RuleEntry.Key, Stored> stored = database.read(session -> stored(session, told.keySet()));
        return told.keySet().stream()
                .filter(key -> !Optional.ofNullable(stored.get(key))
                        .map(each -> EntryCodec.value(each.entry()))
                        .equals(Optional.ofNullable(told.get(key))))
                .collect(Collectors.toSet());
    }

    private static Map<RuleEntry.Key, Stored> stored(Session session, Collection<RuleEntry.Key> keys) {
        Map<RuleEntry.Key, Stored> stored = new HashMap<>();
        keys.stream()
                .collect(Collectors.groupingBy(Kind::of, Collectors.mapping(EntryIds::of, Collectors.toList())))
                .forEach((kind, ids) -> EntryRows.find(session, kind, ids, stored));
        return stored;
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
        Map<RuleEntry.Key, Stored> stored = stored(session, keys);
        List<Tuple> rows = new ArrayList<>();
        for (RuleEntry.Key key : keys) {
            rows.add(Tuple.tuple()
                    .addLong(revision)
                    .addString(EntryCodec.key(key))
                    .addString(Optional.ofNullable(stored.get(key))
                            .map(each -> EntryCodec.value(each.entry()))
                            .orElse(null)));
        }
        session.batch("INSERT INTO outbox (revision, key, value) VALUES ($1, $2, $3)", rows);
    }

    /**
     * Makes sure that what comes next is newer than what the topic has: a database that was restored from a backup would
     * else count on from numbers that limiters have seen.
     */
    public void lift(long revision, long position) {
        database.transaction(session -> {
            session.run("UPDATE rulebook SET revision = $1 WHERE revision < $1", revision);
            return session.run(
                    "SELECT setval(pg_get_serial_sequence('outbox', 'position'), $1) FROM pg_sequences"
                            + " WHERE sequencename = 'outbox_position_seq' AND coalesce(last_value, 0) < $1 AND $1 > 0",
                    position);
        });
    }
}
