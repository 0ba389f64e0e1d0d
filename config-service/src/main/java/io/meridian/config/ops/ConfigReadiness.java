package io.meridian.config.ops;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness check, which is up as soon as the service runs: while PostgreSQL is unavailable, calls are answered 503 with the
 * reason.
 */
@Readiness
@ApplicationScoped
class ConfigReadiness implements HealthCheck {
    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.up("config-service");
    }
}
