package io.meridian.limiter.kafka;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * Settings of the tests that need a Redis and a Kafka. All of them use the same, so that Quarkus and the servers start once.
 */
public final class RedisAndKafka implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                // No test has made the topic yet.
                "meridian.limiter.policies.start-timeout",
                "1ms",
                "meridian.limiter.usage.regional-interval",
                "100ms",
                "meridian.limiter.reports.interval",
                "100ms",
                // However busy the machine is, a region counts as heard and a check waits for its grant.
                "meridian.limiter.usage.cut-off-after",
                "1h",
                "meridian.limiter.leases.grant-wait",
                "120s");
    }
}
