package io.meridian.sync;

import io.meridian.model.time.TimeSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness of a replica: it has read both topics to their ends and is a member of the group, so it could take over. A rolling restart
 * waits for that, so one replica can always lead. Without Kafka it is ready after a while all the same, and for ever after: then it is
 * degraded, and a restart would not help.
 */
@Readiness
@ApplicationScoped
class SyncReadiness implements HealthCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String replica;
    private final BooleanSupplier placed;
    private final TimeSource time;
    private final long startedNanos;
    private volatile boolean ready;

    @Inject
    SyncReadiness(SyncConfig config, SyncReplica leadership, TimeSource time) {
        this(
                config.replica(),
                () -> config.bootstrapServers().isEmpty() || leadership.status().placed(),
                time);
    }

    SyncReadiness(String replica, BooleanSupplier placed, TimeSource time) {
        this.replica = replica;
        this.placed = placed;
        this.time = time;
        this.startedNanos = time.monotonicNanos();
    }

    @Override
    public HealthCheckResponse call() {
        ready = ready || placed.getAsBoolean() || time.monotonicNanos() - startedNanos > PATIENCE.toNanos();
        return HealthCheckResponse.named("sync-service")
                .status(ready)
                .withData("replica", replica)
                .build();
    }
}
