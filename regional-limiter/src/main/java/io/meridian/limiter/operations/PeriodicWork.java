package io.meridian.limiter.operations;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.lease.LeaseUpkeep;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Schedule of the upkeep of leases and of the sweep of reservations, from the start to the stop. */
@Singleton
class PeriodicWork {
    private static final Logger LOG = Logger.getLogger(PeriodicWork.class);
    private static final long SWEEP_EVERY_MILLIS = 1_000;
    private static final long LAST_RETURNS_MILLIS = 500;

    private final Vertx vertx;
    private final LeaseUpkeep upkeep;
    private final LeaseConfig config;
    private final Reservations reservations;

    PeriodicWork(Vertx vertx, LeaseUpkeep upkeep, LeaseConfig config, Reservations reservations) {
        this.vertx = vertx;
        this.upkeep = upkeep;
        this.config = config;
        this.reservations = reservations;
    }

    void start(@Observes StartupEvent event) {
        vertx.setPeriodic(config.releaseEvery().toMillis(), ignored -> upkeep.round());
        vertx.setPeriodic(SWEEP_EVERY_MILLIS, ignored -> reservations.sweep());
    }

    void stop(@Observes ShutdownEvent event) {
        try {
            upkeep.leave().get(LAST_RETURNS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException notAll) {
            LOG.warnf("not every lease could be returned: reason=%s", notAll);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
