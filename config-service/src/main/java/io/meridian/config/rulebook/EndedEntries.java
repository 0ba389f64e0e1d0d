package io.meridian.config.rulebook;

import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.Schema;
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
class EndedEntries {
    static final int REMOVED_MAX = 5_000;

    private static final Logger LOG = Logger.getLogger(EndedEntries.class);
    private static final Actor ACTOR = new Actor("meridian (ended entries)", "");

    private final Database database;
    private final Schema schema;
    private final Rulebook rulebook;

    EndedEntries(Database database, Schema schema, Rulebook rulebook) {
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
            List<Op> deletions = ended();
            if (!deletions.isEmpty()) {
                rulebook.change(ACTOR, deletions);
                LOG.infof("entries that ended a day ago were removed: entries=%d", deletions.size());
            }
        } catch (DatabaseAway | ChangeRefused later) {
            LOG.debugf("ended entries stay for now: reason=%s", later.getMessage());
        }
    }

    /** Only as they are: one that is renewed meanwhile stays, and the others are tried again. */
    List<Op> ended() {
        List<Op> deletions = new ArrayList<>();
        for (Kind kind : List.of(Kind.OVERRIDE, Kind.ALLOW, Kind.DENY)) {
            String sql = "SELECT id, version FROM " + kind.table()
                    + " WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT $1";
            database.read(session -> session.run(sql, REMOVED_MAX - deletions.size()))
                    .forEach(row -> deletions.add(new Op.Delete(
                            EntryIds.read(kind, row.getString("id")),
                            new Condition.Matches(Set.of(Revisions.etag(row.getLong("version")))))));
        }
        return deletions;
    }
}
