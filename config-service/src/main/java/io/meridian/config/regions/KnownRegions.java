package io.meridian.config.regions;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Registry of the regions that exist: those named by the settings and those whose limiters reported lately. It is stored in
 * PostgreSQL, so that a region is known after a restart and while its limiters are down.
 */
@Singleton
public class KnownRegions {
    /** Bound on stored regions: a limiter that reports a new region name each time must not fill the table. */
    static final int NAMES_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(KnownRegions.class);
    /** Interval at which the time of a region's last report is written. */
    private static final Duration WRITTEN_EVERY = Duration.ofHours(1);

    private static final String UPSERT = """
            INSERT INTO region AS known (name, last_heard)
            SELECT $1::text, $2::timestamptz WHERE EXISTS (SELECT 1 FROM region WHERE name = $1::text)
                OR (SELECT count(*) FROM region) < $3::bigint
            ON CONFLICT (name) DO UPDATE SET last_heard = greatest(known.last_heard, excluded.last_heard)""";
    private static final String SELECT = "SELECT name, last_heard FROM region WHERE last_heard >= $1 LIMIT $2";

    private final RegionsConfig config;
    private final LimiterDirectory limiters;
    private final Database database;
    private final Schema schema;
    private final TimeSource time;
    private volatile Map<String, Instant> stored = Map.of();

    KnownRegions(RegionsConfig config, LimiterDirectory limiters, Database database, Schema schema, TimeSource time) {
        this.config = config;
        this.limiters = limiters;
        this.database = database;
        this.schema = schema;
        this.time = time;
    }

    /** The names of the regions; empty while none is known. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>(config.names().orElse(Set.of()));
        names.addAll(stored.keySet());
        names.addAll(reported().keySet());
        return names;
    }

    @Scheduled(every = "2s", concurrentExecution = ConcurrentExecution.SKIP)
    void refresh() {
        if (!schema.isReady()) {
            return;
        }
        try {
            stored = database.transaction(this::refresh);
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("known regions are not refreshed: reason=%s", unavailable.getMessage());
        }
    }

    private Map<String, Instant> refresh(Session session) {
        Map<String, Instant> before = stored;
        reported().forEach((name, at) -> {
            Instant written = before.get(name);
            if (written == null || written.plus(WRITTEN_EVERY).isBefore(at)) {
                session.run(UPSERT, name, Timestamps.toDatabase(at), (long) NAMES_MAX);
            }
        });
        Instant oldest = Timestamps.ofMicros(time.wallMicros()).minus(config.knownFor());
        Map<String, Instant> known = new HashMap<>();
        for (Row row : session.run(SELECT, Timestamps.toDatabase(oldest), NAMES_MAX)) {
            known.put(row.getString("name"), Timestamps.of(row, "last_heard"));
        }
        return Map.copyOf(known);
    }

    private Map<String, Instant> reported() {
        Map<String, Instant> reported = new HashMap<>();
        for (Instance each : limiters.all()) {
            reported.merge(each.region(), Timestamps.ofMicros(each.reportedMicros()), (a, b) -> a.isAfter(b) ? a : b);
        }
        return reported;
    }
}
