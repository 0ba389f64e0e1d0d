package io.meridian.config.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.meridian.config.database.Database;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Timestamps;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Calls that were not let in, for the audit trail: added up per caller, reason and method, and written once a second, so that
 * a flood of them is a few rows. What PostgreSQL does not take waits; beyond the bound all that is new is one more row.
 */
@Singleton
class RefusedCalls {
    static final int WAITING_MAX = 1_000;

    private static final Logger LOG = Logger.getLogger(RefusedCalls.class);
    private static final Refused OTHERS = new Refused("various", "various", "various");

    private final Database database;
    private final TimeSource time;
    private Map<Refused, Long> waiting = new LinkedHashMap<>();

    private record Refused(String caller, String reason, String what) {}

    RefusedCalls(Database database, TimeSource time) {
        this.database = database;
        this.time = time;
    }

    synchronized void add(String caller, String reason, String what) {
        add(new Refused(caller, reason, what), 1);
    }

    private void add(Refused refused, long count) {
        boolean room = waiting.containsKey(refused) || waiting.size() < WAITING_MAX;
        waiting.merge(room ? refused : OTHERS, count, Long::sum);
    }

    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void write() {
        Map<Refused, Long> taken = taken();
        if (taken.isEmpty()) {
            return;
        }
        try {
            database.transaction(session -> {
                taken.forEach((refused, count) -> AuditTrail.write(
                        session,
                        new Actor(refused.caller(), ""),
                        Timestamps.ofMicros(time.wallMicros()),
                        "refused",
                        "call",
                        refused.what(),
                        Optional.empty(),
                        Optional.of(JsonNodeFactory.instance
                                .objectNode()
                                .put("reason", refused.reason())
                                .put("count", count))));
                return taken.size();
            });
        } catch (DatabaseUnavailableException away) {
            LOG.debugf("refused calls wait to be written: reason=%s", away.getMessage());
            giveBack(taken);
        }
    }

    void stop(@Observes ShutdownEvent stopping) {
        write();
    }

    private synchronized Map<Refused, Long> taken() {
        Map<Refused, Long> taken = waiting;
        waiting = new LinkedHashMap<>();
        return taken;
    }

    private synchronized void giveBack(Map<Refused, Long> taken) {
        taken.forEach(this::add);
    }
}
