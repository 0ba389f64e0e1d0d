package io.meridian.limiter;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** A limiter is ready as soon as it is warm: it decides, if need be from its fallback, also when cut off from all else. */
@Readiness
@ApplicationScoped
class LimiterReadiness implements HealthCheck {
    private final LimiterConfig config;
    private final WarmUp warmUp;

    LimiterReadiness(LimiterConfig config, WarmUp warmUp) {
        this.config = config;
        this.warmUp = warmUp;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("regional-limiter")
                .status(warmUp.isDone())
                .withData("region", config.region())
                .build();
    }
}
