package io.meridian.config.regions;

import io.meridian.config.regions.LimiterDirectory.Instance;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Session;
import io.meridian.config.database.Timestamps;
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
 * Regions that exist: those that the settings name and those whose limiters were heard of lately. PostgreSQL remembers them, so
 * that a region is known at once after a start and while its limiters are away.
 */
@Singleton
public class KnownRegions {
    /** More regions than this are not remembered; a limiter with a name of its own each time must not fill a table. */
    static final int NAMES_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(KnownRegions.class);
    /** How old the time may become at which a region was last heard of. */
    private static final Duration WRITTEN_EVERY = Duration.ofHours(1);

    private static final String HEARD = """
            INSERT INTO region AS known (name, last_heard)
            SELECT $1::text, $2::timestamptz WHERE EXISTS (SELECT 1 FROM region WHERE name = $1::text)
                OR (SELECT count(*) FROM region) < $3::bigint
            ON CONFLICT (name) DO UPDATE SET last_heard = greatest(known.last_heard, excluded.last_heard)""";
    private static final String KNOWN = "SELECT name, last_heard FROM region WHERE last_heard >= $1 LIMIT $2";

    private final RegionsConfig config;
    private final LimiterDirectory instances;
    private final Database database;
    private final Schema schema;
    private final TimeSource time;
    private volatile Map<String, Instant> remembered = Map.of();

    KnownRegions(RegionsConfig config, LimiterDirectory instances, Database database, Schema schema, TimeSource time) {
        this.config = config;
        this.instances = instances;
        this.database = database;
        this.schema = schema;
        this.time = time;
    }

    /** Their names; empty if none is known yet. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>(config.names().orElse(Set.of()));
        names.addAll(remembered.keySet());
        names.addAll(heard().keySet());
        return names;
    }

    @Scheduled(every = "2s", concurrentExecution = ConcurrentExecution.SKIP)
    void remember() {
        if (!schema.isReady()) {
            return;
        }
        try {
            remembered = database.transaction(this::remember);
        } catch (DatabaseUnavailableException away) {
            LOG.debugf("regions stay as they were read last: reason=%s", away.getMessage());
        }
    }

    private Map<String, Instant> remember(Session session) {
        Map<String, Instant> before = remembered;
        heard().forEach((name, at) -> {
            Instant written = before.get(name);
            if (written == null || written.plus(WRITTEN_EVERY).isBefore(at)) {
                session.run(HEARD, name, Timestamps.toDatabase(at), (long) NAMES_MAX);
            }
        });
        Instant oldest = Timestamps.ofMicros(time.wallMicros()).minus(config.knownFor());
        Map<String, Instant> known = new HashMap<>();
        for (Row row : session.run(KNOWN, Timestamps.toDatabase(oldest), NAMES_MAX)) {
            known.put(row.getString("name"), Timestamps.of(row, "last_heard"));
        }
        return Map.copyOf(known);
    }

    private Map<String, Instant> heard() {
        Map<String, Instant> heard = new HashMap<>();
        for (Instance each : instances.all()) {
            heard.merge(each.region(), Timestamps.ofMicros(each.heardMicros()), (a, b) -> a.isAfter(b) ? a : b);
        }
        return heard;
    }
}
