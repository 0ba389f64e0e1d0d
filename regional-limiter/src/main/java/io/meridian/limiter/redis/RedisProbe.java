package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Asks a Redis that checks do not ask any more whether it is back, so that they need not wait for the end of the breaker's delay. It
 * takes from a counter that is nobody's: as much work as a check, and what only reads does not answer it.
 */
@Singleton
class RedisProbe {
    private static final Policy NOBODYS =
            Policy.of("meridian-probe", KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, 1_000_000, Window.parse("1s"));
    /** Forgotten within seconds. */
    static final List<CounterRequest> ASK =
            List.of(new CounterRequest.Take(new Limit(NOBODYS, NOBODYS.limitSpec().quota(), "", 1, 1), 1, 0, 0));

    private final Vertx vertx;
    private final RedisConfig config;
    private final RedisCounters counters;
    private final RedisBreaker breaker;

    RedisProbe(Vertx vertx, RedisConfig config, RedisCounters counters, RedisBreaker breaker) {
        this.vertx = vertx;
        this.config = config;
        this.counters = counters;
        this.breaker = breaker;
    }

    void start(@Observes StartupEvent started) {
        vertx.setPeriodic(config.breaker().probeEvery().toMillis(), due -> {
            if (breaker.isOpen()) {
                counters.onLane(RedisLane::probe).thenAccept(back -> {
                    if (back) {
                        breaker.close();
                    }
                });
            }
        });
    }
}
