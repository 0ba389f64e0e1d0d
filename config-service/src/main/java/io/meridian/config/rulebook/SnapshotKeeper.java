package io.meridian.config.rulebook;

import io.meridian.config.store.Database;
import io.meridian.config.store.DatabaseAway;
import io.meridian.config.store.Schema;
import io.meridian.config.store.Session;
import io.meridian.config.store.Times;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Keeps the copy of the rulebook at most a second behind; of what did not change nothing is read. It is also who notices that
 * PostgreSQL is away, so that not every reader has to wait for an answer that does not come.
 */
@Singleton
class SnapshotKeeper {
    private static final Logger LOG = Logger.getLogger(SnapshotKeeper.class);

    private final Database database;
    private final Schema schema;
    private final TimeSource time;
    private final AtomicLong changes = new AtomicLong();
    private volatile Snapshot current = Snapshot.NONE;
    private volatile boolean away;

    SnapshotKeeper(Database database, Schema schema, TimeSource time) {
        this.database = database;
        this.schema = schema;
        this.time = time;
    }

    Snapshot current() {
        return current;
    }

    /** Whether PostgreSQL did not answer when it was asked last. */
    boolean isAway() {
        return away;
    }

    /** Whoever made a change reads it: PostgreSQL has just answered. */
    void changed(@Observes RulebookChanged change) {
        changes.incrementAndGet();
        away = false;
    }

    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void refresh() {
        if (!schema.isReady()) {
            return;
        }
        long seen = changes.get();
        try {
            current = database.transaction(this::read);
            away = false;
        } catch (DatabaseAway unanswered) {
            LOG.debugf("the copy of the rulebook stays as it is: reason=%s", unanswered.getMessage());
            away = changes.get() == seen;
        }
    }

    private Snapshot read(Session session) {
        session.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        Snapshot next = current;
        for (Row row : session.run("SELECT kind, revision FROM kind_revision")) {
            Kind kind = Kind.labelled(row.getString("kind")).orElseThrow();
            long revision = row.getLong("revision");
            if (next.revisions().getOrDefault(kind, -1L) != revision) {
                String sql = "SELECT " + EntryRows.COLUMNS + " FROM " + kind.table() + " LIMIT $1";
                next = next.with(kind, revision, EntryRows.all(kind, session.run(sql, Snapshot.ENTRIES_MAX + 1)));
            }
        }
        return next.confirmed(Revisions.current(session), Times.ofMicros(time.wallMicros()));
    }
}
