package io.meridian.config.rules;

import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.rules.EntryChange.ChangeRefusedException;
import io.meridian.config.rules.EntryChange.Precondition;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Periodic deletion of entries that expired a day ago. Limiters observe the expiry by themselves; this only bounds the tables,
 * and the day lets an admin see what was there.
 */
@Singleton
class ExpiredEntryCleanup {
    static final int REMOVED_MAX = 5_000;

    private static final Logger LOG = Logger.getLogger(ExpiredEntryCleanup.class);
    private static final Actor ACTOR = new Actor("meridian (ended entries)", "");

    private final Database database;
    private final Schema schema;
    private final RuleStore rules;

    ExpiredEntryCleanup(Database database, Schema schema, RuleStore rules) {
        this.database = database;
        this.schema = schema;
        this.rules = rules;
    }

    @Scheduled(every = "5m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
    void remove() {
        if (!schema.isReady()) {
            return;
        }
        try {
            List<EntryChange> deletions = expired();
            if (!deletions.isEmpty()) {
                rules.change(ACTOR, deletions);
                LOG.infof("entries that expired a day ago were deleted: entries=%d", deletions.size());
            }
        } catch (DatabaseUnavailableException | ChangeRefusedException later) {
            LOG.debugf("expired entries are deleted later: reason=%s", later.getMessage());
        }
    }

    /** Deletions of the versions seen: if one was renewed meanwhile, the whole set is refused and tried again later. */
    List<EntryChange> expired() {
        List<EntryChange> deletions = new ArrayList<>();
        for (EntryKind kind : List.of(EntryKind.OVERRIDE, EntryKind.ALLOW, EntryKind.DENY)) {
            String sql = "SELECT id, version FROM " + kind.table()
                    + " WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1";
            database.read(session -> session.run(sql, REMOVED_MAX - deletions.size()))
                    .forEach(row -> deletions.add(new EntryChange.Delete(
                            kind.key(row.getString("id")),
                            new Precondition.Matches(Set.of(StoredEntry.etag(row.getLong("version")))))));
        }
        return deletions;
    }
}
