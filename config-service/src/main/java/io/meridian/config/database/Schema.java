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

/** Schema migration in the background: the service starts without PostgreSQL and migrates as soon as it can be reached. */
@Singleton
public class Schema {
    private static final Logger LOG = Logger.getLogger(Schema.class);

    private final Flyway flyway;
    private final DatabaseConfig config;
    private final Event<Ready> readyEvent;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    Schema(Flyway flyway, DatabaseConfig config, Event<Ready> readyEvent) {
        this.flyway = flyway;
        this.config = config;
        this.readyEvent = readyEvent;
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
        String loggedReason = "";
        do {
            try {
                flyway.migrate();
                ready.countDown();
                readyEvent.fire(new Ready());
                return;
            } catch (FlywayException failed) {
                String reason = reason(failed);
                if (!reason.equals(loggedReason)) {
                    loggedReason = reason;
                    LOG.warnf("schema migration failed and is retried: reason=%s", reason);
                }
            }
        } while (!isStoppedWithinPause());
    }

    /** Message of the innermost cause: those of its wrappers say little. */
    private static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return String.valueOf(innermost.getMessage()).replace('\n', ' ');
    }

    private boolean isStoppedWithinPause() {
        try {
            return stopped.await(config.migrationPause().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Event: the schema is migrated, and PostgreSQL can be queried. */
    public record Ready() {}
}
