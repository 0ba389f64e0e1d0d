package io.meridian.sync.health;

import io.meridian.sync.SyncConfig;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** A replica is ready as soon as it runs: without Kafka it is degraded, and a restart would not help. */
@Readiness
@ApplicationScoped
class SyncReadiness implements HealthCheck {
    private final SyncConfig config;

    SyncReadiness(SyncConfig config) {
        this.config = config;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("sync-service")
                .up()
                .withData("replica", config.replica())
                .build();
    }
}
