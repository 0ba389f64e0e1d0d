package io.meridian.limiter.health;

import io.meridian.limiter.LimiterConfig;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** A limiter is ready as soon as it runs: it decides, if need be from its fallback, also when cut off from all else. */
@Readiness
@ApplicationScoped
class LimiterReadiness implements HealthCheck {
    private final LimiterConfig config;

    LimiterReadiness(LimiterConfig config) {
        this.config = config;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("regional-limiter")
                .up()
                .withData("region", config.region())
                .build();
    }
}
