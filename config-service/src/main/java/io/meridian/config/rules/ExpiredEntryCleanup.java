package io.meridian.config.rules;

import io.meridian.config.rules.EntryChange.Precondition;
import io.meridian.config.audit.Actor;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Removes what has ended for a day. Limiters let it end on time by themselves; this only keeps the tables from growing, and the
 * day lets an admin see what was.
 */
@Singleton
class ExpiredEntryCleanup {
    static final int REMOVED_MAX = 5_000;

    private static final Logger LOG = Logger.getLogger(ExpiredEntryCleanup.class);
    private static final Actor ACTOR = new Actor("meridian (ended entries)", "");

    private final Database database;
    private final Schema schema;
    private final RuleStore rulebook;

    ExpiredEntryCleanup(Database database, Schema schema, RuleStore rulebook) {
        this.database = database;
        this.schema = schema;
        this.rulebook = rulebook;
    }

    @Scheduled(every = "5m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
    void remove() {
        if (!schema.isReady()) {
            return;
        }
        try {
            List<EntryChange> deletions = ended();
            if (!deletions.isEmpty()) {
                rulebook.change(ACTOR, deletions);
                LOG.infof("entries that ended a day ago were removed: entries=%d", deletions.size());
            }
        } catch (DatabaseUnavailableException | ChangeRefusedException later) {
            LOG.debugf("ended entries stay for now: reason=%s", later.getMessage());
        }
    }

    /** Only as they are: one that is renewed meanwhile stays, and the others are tried again. */
    List<EntryChange> ended() {
        List<EntryChange> deletions = new ArrayList<>();
        for (EntryKind kind : List.of(EntryKind.OVERRIDE, EntryKind.ALLOW, EntryKind.DENY)) {
            String sql = "SELECT id, version FROM " + kind.table()
                    + " WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1";
            database.read(session -> session.run(sql, REMOVED_MAX - deletions.size()))
                    .forEach(row -> deletions.add(new EntryChange.Delete(
                            EntryIds.read(kind, row.getString("id")),
                            new Precondition.Matches(Set.of(Revisions.etag(row.getLong("version")))))));
        }
        return deletions;
    }
}
