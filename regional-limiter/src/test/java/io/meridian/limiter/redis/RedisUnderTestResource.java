package io.meridian.limiter.redis;

import io.meridian.testkit.servers.RedisUnderTest;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives a Quarkus test a Redis that it may spoil, and a breaker that probes soon. The time that a call may take is so long that a
 * busy machine does not pass for a Redis that is away; the argument {@value #BUDGET} shortens it.
 */
public final class RedisUnderTestResource implements QuarkusTestResourceLifecycleManager {
    static final String BUDGET = "budget";

    private String budget = "60s";
    private @Nullable RedisUnderTest redis;

    @Override
    public void init(Map<String, String> arguments) {
        budget = arguments.getOrDefault(BUDGET, budget);
    }

    @Override
    public Map<String, String> start() {
        RedisUnderTest started = RedisUnderTest.start();
        redis = started;
        return Map.of(
                "meridian.limiter.redis.hosts",
                started.url(),
                "meridian.limiter.redis.budget",
                budget,
                "meridian.limiter.redis.connect-timeout",
                budget,
                // So that nothing but probing brings Redis back.
                "meridian.limiter.redis.breaker.delay",
                "10m",
                "meridian.limiter.redis.breaker.probe-every",
                "100ms");
    }

    @Override
    public void inject(TestInjector injector) {
        if (redis != null) {
            injector.injectIntoFields(redis, new TestInjector.MatchesType(RedisUnderTest.class));
        }
    }

    @Override
    public void stop() {
        if (redis != null) {
            redis.close();
        }
    }
}
