package io.meridian.config.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.audit.AuditTrail.Row;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Bounded buffer of calls refused with 401 or 403, for the audit trail. Calls are added up by caller, reason and method and
 * written once a second, so that a flood is a few rows. They wait while PostgreSQL is unavailable; beyond the bound all new
 * combinations are counted in one row.
 */
@Singleton
public class RefusedCalls {
    static final int WAITING_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(RefusedCalls.class);
    private static final Refused OTHERS = new Refused("various", "various", "various");

    private final Database database;
    private final TimeSource time;
    private Map<Refused, Long> waiting = new LinkedHashMap<>();

    private record Refused(String caller, String reason, String method) {}

    RefusedCalls(Database database, TimeSource time) {
        this.database = database;
        this.time = time;
    }

    public synchronized void add(String caller, String reason, String method) {
        add(new Refused(caller, reason, method), 1);
    }

    private void add(Refused refused, long count) {
        boolean hasRoom = waiting.containsKey(refused) || waiting.size() < WAITING_MAX;
        waiting.merge(hasRoom ? refused : OTHERS, count, Long::sum);
    }

    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void write() {
        Map<Refused, Long> taken = takeAll();
        if (taken.isEmpty()) {
            return;
        }
        Instant now = Timestamps.ofMicros(time.wallMicros());
        try {
            database.transaction(session -> {
                taken.forEach((refused, count) ->
                        AuditTrail.append(session, new Actor(refused.caller(), ""), now, List.of(row(refused, count))));
                return taken.size();
            });
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("refused calls are written later: reason=%s", unavailable.getMessage());
            putBack(taken);
        }
    }

    private static Row row(Refused refused, long count) {
        return new Row(
                "refused",
                "call",
                refused.method(),
                null,
                Optional.empty(),
                Optional.of(JsonNodeFactory.instance
                        .objectNode()
                        .put("reason", refused.reason())
                        .put("count", count)));
    }

    void stop(@Observes ShutdownEvent stopping) {
        write();
    }

    private synchronized Map<Refused, Long> takeAll() {
        Map<Refused, Long> taken = waiting;
        waiting = new LinkedHashMap<>();
        return taken;
    }

    private synchronized void putBack(Map<Refused, Long> taken) {
        taken.forEach(this::add);
    }
}
