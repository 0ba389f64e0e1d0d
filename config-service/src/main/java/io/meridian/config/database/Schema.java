package io.meridian.config.database;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/** Brings the schema up to date at the start, as soon as PostgreSQL is there: the service starts without it and waits. */
@Singleton
public class Schema {
    private static final Logger LOG = Logger.getLogger(Schema.class);

    private final Flyway flyway;
    private final DatabaseConfig config;
    private final Event<Ready> told;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    Schema(Flyway flyway, DatabaseConfig config, Event<Ready> told) {
        this.flyway = flyway;
        this.config = config;
        this.told = told;
    }

    void start(@Observes StartupEvent started) {
        Thread thread = new Thread(this::migrate, "schema");
        thread.setDaemon(true);
        thread.start();
    }

    void stop(@Observes ShutdownEvent stopping) {
        stopped.countDown();
    }

    public boolean isReady() {
        return ready.getCount() == 0;
    }

    private void migrate() {
        String said = "";
        do {
            try {
                flyway.migrate();
                ready.countDown();
                told.fire(new Ready());
                return;
            } catch (FlywayException away) {
                String reason = reason(away);
                if (!reason.equals(said)) {
                    said = reason;
                    LOG.warnf("the schema cannot be brought up to date now, and will be: reason=%s", reason);
                }
            }
        } while (!isStoppedWithin());
    }

    /** The innermost reason: what wraps it says little. */
    private static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return String.valueOf(innermost.getMessage()).replace('\n', ' ');
    }

    private boolean isStoppedWithin() {
        try {
            return stopped.await(config.migrationPause().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** The schema is up to date: from now on PostgreSQL can be asked. */
    public record Ready() {}
}
