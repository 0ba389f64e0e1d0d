package io.meridian.config.history.promises;

import io.meridian.config.database.Database;
import io.meridian.config.database.Database.Session;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.database.Timestamps;
import io.meridian.config.history.promises.PromiseBound.Conditions;
import io.meridian.config.regions.LimiterDirectory;
import io.meridian.config.regions.RegionActivity;
import io.meridian.config.regions.RegionActivity.RegionState;
import io.meridian.config.regions.RegionActivity.RegionStates;
import io.meridian.model.time.TimeSource;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Record by the minute of what the bound of a window depends on: loop delay and cut regions, as limiters report them. Every replica
 * writes what it sees; the longest delay and all cut regions stay.
 */
@Singleton
class PromiseConditions {
    private static final Logger LOG = Logger.getLogger(PromiseConditions.class);
    /** Longer than the longest window, a month, and the time in which late usage corrects it. */
    private static final Duration KEPT = Duration.ofDays(40);
    /** The loop of a region is measured in the minute before its report. */
    private static final long BEFORE_MICROS = TimeUnit.MINUTES.toMicros(1);

    private static final String RECORD = """
            INSERT INTO promise_condition AS kept (minute, loop_micros, regions, cut) VALUES ($1, $2, $3, $4::text[])
            ON CONFLICT (minute) DO UPDATE SET loop_micros = greatest(kept.loop_micros, excluded.loop_micros),
                regions = greatest(kept.regions, excluded.regions),
                cut = ARRAY(SELECT DISTINCT unnest(kept.cut || excluded.cut) ORDER BY 1)
            WHERE excluded.loop_micros > kept.loop_micros OR excluded.regions > kept.regions OR NOT excluded.cut <@ kept.cut""";
    private static final String READ = """
            SELECT coalesce(max(loop_micros), 0) AS loop_micros, coalesce(max(regions), 0) AS regions,
                ARRAY(SELECT DISTINCT unnest(cut) FROM promise_condition WHERE minute >= $1 AND minute < $2) AS cut
            FROM promise_condition WHERE minute >= $1 AND minute < $2""";

    private final LimiterDirectory limiters;
    private final Database database;
    private final Schema schema;
    private final TimeSource time;
    private final RegionActivity activity = new RegionActivity(Duration.ofSeconds(5), Duration.ofSeconds(3));

    PromiseConditions(LimiterDirectory limiters, Database database, Schema schema, TimeSource time) {
        this.limiters = limiters;
        this.database = database;
        this.schema = schema;
        this.time = time;
    }

    @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
    void record() {
        RegionStates states = states();
        if (!schema.isReady() || states.regions().isEmpty()) {
            return;
        }
        try {
            long loopMicros = states.regions().stream()
                    .mapToLong(PromiseConditions::loopMicros)
                    .max()
                    .orElse(0);
            int unused = record(time.wallMicros(), loopMicros, states.regions().size(), cut(states));
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("loop delay and cut regions are not recorded: reason=%s", unavailable.getMessage());
        }
    }

    int record(long atMicros, long loopMicros, int regions, Set<String> cut) {
        return database.read(session -> session.run(
                        RECORD,
                        Timestamps.toDatabase(Timestamps.minute(atMicros)),
                        loopMicros,
                        regions,
                        cut.toArray(String[]::new))
                .rowCount());
    }

    /** Deletes what no window needs any more: a row per minute. */
    @Scheduled(every = "1h", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
    void deleteOld() {
        if (!schema.isReady()) {
            return;
        }
        OffsetDateTime oldest =
                Timestamps.toDatabase(Timestamps.ofMicros(time.wallMicros()).minus(KEPT));
        try {
            database.read(session -> session.run("DELETE FROM promise_condition WHERE minute < $1", oldest));
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("old conditions stay for now: reason=%s", unavailable.getMessage());
        }
    }

    /** The conditions while a window was open, and in the minute before. */
    static Conditions during(Session session, long startMicros, long endMicros) {
        Row row = session.run(
                        READ,
                        Timestamps.toDatabase(Timestamps.minute(startMicros - BEFORE_MICROS)),
                        Timestamps.toDatabase(endMicros))
                .iterator()
                .next();
        return new Conditions(
                row.getLong("loop_micros"),
                row.getInteger("regions"),
                new HashSet<>(List.of(row.getArrayOfStrings("cut"))));
    }

    /** Regions that are cut off now: their usage may be on its way. */
    Set<String> cutNow() {
        return cut(states());
    }

    private synchronized RegionStates states() {
        return activity.observe(limiters.all(), time.wallMicros());
    }

    private static Set<String> cut(RegionStates states) {
        Set<String> cut = new HashSet<>();
        states.regions().stream().filter(each -> each.cutOff() != null).forEach(each -> cut.add(each.region()));
        return cut;
    }

    private static long loopMicros(RegionState region) {
        return region.loopDelayMs() == null
                ? 0
                : (long) (region.loopDelayMs().max() * TimeUnit.MILLISECONDS.toMicros(1));
    }
}
