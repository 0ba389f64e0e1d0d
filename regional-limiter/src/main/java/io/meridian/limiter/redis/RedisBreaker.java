package io.meridian.limiter.redis;

import io.meridian.limiter.LimiterConfig.RedisConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.RedisMetrics;
import io.meridian.limiter.metrics.RedisMetrics.BreakerState;
import io.meridian.limiter.region.RegionCounters.Reply;
import io.meridian.limiter.region.RegionUnavailable;
import io.smallrye.faulttolerance.api.CircuitBreakerMaintenance;
import io.smallrye.faulttolerance.api.CircuitBreakerState;
import io.smallrye.faulttolerance.api.TypedGuard;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.inject.Singleton;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Circuit breaker before Redis, one for all event loops. */
@Singleton
class RedisBreaker {
    private static final Logger LOG = Logger.getLogger(RedisBreaker.class);
    private static final String NAME = "redis";

    private final RedisMetrics metrics;
    private final CircuitBreakerMaintenance maintenance;
    private final TypedGuard<CompletionStage<List<Reply>>> guard;
    private volatile CircuitBreakerState state = CircuitBreakerState.CLOSED;

    RedisBreaker(RedisConfig config, LimiterMetrics metrics, CircuitBreakerMaintenance maintenance) {
        this.metrics = metrics.redis();
        this.maintenance = maintenance;
        this.guard = TypedGuard.create(new TypeLiteral<CompletionStage<List<Reply>>>() {})
                .withCircuitBreaker()
                .name(NAME)
                .requestVolumeThreshold(config.breaker().failures())
                .failureRatio(1)
                .delay(config.breaker().delay().toMillis(), ChronoUnit.MILLIS)
                .successThreshold(config.breaker().probes())
                .onStateChange(this::turned)
                .done()
                // Calls are made and answered on the event loop that asks; a hop to another thread would cost more than
                // they do.
                .withThreadOffload(false)
                .build();
    }

    /** What {@code call} answers, or {@link RegionUnavailable} at once while Redis is not asked. */
    CompletionStage<List<Reply>> guard(Supplier<CompletionStage<List<Reply>>> call) {
        return guard.get(call);
    }

    boolean isOpen() {
        return state == CircuitBreakerState.OPEN;
    }

    /** Has checks ask again at once: Redis was heard to be back. Nobody else tells of a reset. */
    void close() {
        maintenance.reset(NAME);
        turned(maintenance.currentState(NAME));
    }

    private void turned(CircuitBreakerState next) {
        state = next;
        metrics.breaker(
                switch (next) {
                    case CLOSED -> BreakerState.CLOSED;
                    case HALF_OPEN -> BreakerState.HALF_OPEN;
                    case OPEN -> BreakerState.OPEN;
                });
        LOG.infof("circuit breaker of Redis: state=%s", next);
    }
}
