package io.meridian.config.rules;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.rules.EntryQueries.Found;
import io.meridian.config.rules.EntryQueries.Page;
import io.meridian.config.rules.RuleStore.Changed;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Copy of the rules in memory, refreshed every second, for reads while PostgreSQL is unavailable. Only kinds that changed are
 * read again. A failed refresh marks PostgreSQL as unavailable, so that readers do not each wait for a timeout.
 */
@Singleton
class SnapshotCache {
    private static final Logger LOG = Logger.getLogger(SnapshotCache.class);

    private final Database database;
    private final Schema schema;
    private final TimeSource time;
    private final AtomicLong changes = new AtomicLong();
    private volatile Snapshot current = Snapshot.NONE;
    private volatile boolean unavailable;

    SnapshotCache(Database database, Schema schema, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.time = time;
    }

    Snapshot current() {
        return current;
    }

    /** Whether the last access to PostgreSQL failed. */
    boolean isDatabaseUnavailable() {
        return unavailable;
    }

    /** A change of this replica was committed, so PostgreSQL is available, and its author reads it from there. */
    void changed(@Observes Changed change) {
        changes.incrementAndGet();
        unavailable = false;
    }

    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void refresh() {
        if (!schema.isReady()) {
            return;
        }
        long seen = changes.get();
        try {
            current = database.transaction(this::read);
            unavailable = false;
        } catch (DatabaseUnavailableException failed) {
            LOG.debugf("the copy of the rules is not refreshed: reason=%s", failed.getMessage());
            unavailable = changes.get() == seen;
        }
    }

    private Snapshot read(Session session) {
        session.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        Snapshot next = current;
        for (Row row : session.run("SELECT kind, revision FROM kind_revision")) {
            EntryKind kind = EntryKind.labelled(row.getString("kind")).orElseThrow();
            long revision = row.getLong("revision");
            if (next.revisions().getOrDefault(kind, -1L) != revision) {
                String sql = "SELECT " + EntryTables.COLUMNS + " FROM " + kind.table() + " LIMIT $1";
                next = next.with(kind, revision, EntryTables.read(kind, session.run(sql, Snapshot.ENTRIES_MAX + 1)));
            }
        }
        return next.confirmed(EntryTables.revision(session), Timestamps.ofMicros(time.wallMicros()));
    }

    /**
     * Immutable copy of the rules. Kinds with more entries than {@link #ENTRIES_MAX} are left out.
     *
     * @param revisions the revision that changed each kind last
     * @param asOf when the copy was last known to be current
     */
    record Snapshot(
            long revision,
            Map<EntryKind, Long> revisions,
            Map<EntryKind, NavigableMap<String, StoredEntry>> entries,
            Instant asOf) {
        /** As many as there may be policies; the same bound holds for every other kind. */
        static final int ENTRIES_MAX = 10_000;

        /** The order of ids: by UTF-8 bytes, as PostgreSQL's collation C. */
        static final Comparator<String> ID_ORDER = (a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

        static final Snapshot NONE = new Snapshot(0, Map.of(), Map.of(), Instant.EPOCH);

        boolean has(EntryKind kind) {
            return entries.containsKey(kind);
        }

        Found find(EntryKind kind, String id) {
            return new Found(Optional.ofNullable(of(kind).get(id)), Optional.of(asOf));
        }

        Page page(EntryFilter filter, Optional<String> after, int limit) {
            NavigableMap<String, StoredEntry> all = of(filter.kind());
            List<StoredEntry> found = after.map(id -> all.tailMap(id, false)).orElse(all).values().stream()
                    .filter(filter::holds)
                    .limit(limit + 1L)
                    .toList();
            return Page.of(found, limit, Optional.of(asOf));
        }

        private NavigableMap<String, StoredEntry> of(EntryKind kind) {
            return entries.getOrDefault(kind, new TreeMap<>());
        }

        /** A copy with the present entries of one kind, without the kind where there are too many. */
        Snapshot with(EntryKind kind, long kindRevision, List<StoredEntry> stored) {
            Map<EntryKind, Long> nextRevisions = new EnumMap<>(EntryKind.class);
            nextRevisions.putAll(revisions);
            nextRevisions.put(kind, kindRevision);
            Map<EntryKind, NavigableMap<String, StoredEntry>> next = new EnumMap<>(EntryKind.class);
            next.putAll(entries);
            next.remove(kind);
            if (stored.size() <= ENTRIES_MAX) {
                NavigableMap<String, StoredEntry> byId = new TreeMap<>(ID_ORDER);
                stored.forEach(each -> byId.put(each.id(), each));
                next.put(kind, byId);
            }
            return new Snapshot(revision, nextRevisions, next, asOf);
        }

        Snapshot confirmed(long currentRevision, Instant now) {
            return new Snapshot(currentRevision, revisions, entries, now);
        }
    }
}
