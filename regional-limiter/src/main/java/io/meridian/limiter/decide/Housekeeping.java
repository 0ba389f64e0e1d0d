package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.lease.Ask;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Gives back what leases can no longer spend, and charges what the fallback admitted once the region answers. */
@Singleton
class Housekeeping {
    private static final Logger LOG = Logger.getLogger(Housekeeping.class);
    private static final int SETTLED_PER_TICK = 1_000;
    private static final long SWEEP_EVERY_MILLIS = 1_000;
    private static final long LAST_RETURNS_MILLIS = 500;

    private final Vertx vertx;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final LeaseConfig config;
    private final Reservations reservations;
    private final Usage usage;
    private final LimiterMetrics metrics;

    Housekeeping(
            Vertx vertx,
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            LeaseConfig config,
            Reservations reservations,
            Usage usage,
            LimiterMetrics metrics) {
        this.vertx = vertx;
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.config = config;
        this.reservations = reservations;
        this.usage = usage;
        this.metrics = metrics;
    }

    void start(@Observes StartupEvent event) {
        vertx.setPeriodic(config.releaseEvery().toMillis(), ignored -> tick());
        vertx.setPeriodic(SWEEP_EVERY_MILLIS, ignored -> reservations.sweep());
    }

    private void tick() {
        metrics.redis().clockOffset(clock.aheadMicros());
        leases.release(clock.nowMicros(), false).forEach(rest -> counters.ask(List.of(rest)));
        fallback.owed(SETTLED_PER_TICK).forEach(this::settle);
    }

    private void settle(Ask.Settle settle) {
        counters.ask(List.of(settle)).whenComplete((reply, away) -> {
            if (away == null) {
                metrics.fallback().settled(settle.cost());
                usage.took(settle.limit(), settle.cost(), settle.takenMicros());
            } else {
                fallback.owe(settle);
            }
        });
    }

    /** An instance that leaves hands everything back, so that a restart costs no one anything. */
    void stop(@Observes ShutdownEvent event) {
        CompletableFuture<?>[] returns = leases.release(clock.nowMicros(), true).stream()
                .map(rest -> counters.ask(List.of(rest)).toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(returns).get(LAST_RETURNS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException notAll) {
            LOG.warnf("not every lease could be given back: %s", notAll);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
