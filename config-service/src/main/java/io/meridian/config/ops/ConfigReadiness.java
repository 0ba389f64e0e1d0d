package io.meridian.config.ops;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready as soon as it runs: while PostgreSQL is away it answers 503 with the reason, which a caller can act on. */
@Readiness
@ApplicationScoped
class ConfigReadiness implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.up("config-service");
    }
}
