package io.meridian.limiter.http;

import io.meridian.limiter.redis.RedisUnderTestResource;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;

/** The whole service, on a real Redis, under requests of every wrong kind. */
@QuarkusTest
@WithTestResource(RedisUnderTestResource.class)
@TestProfile(FuzzTest.SmallMemories.class)
class FuzzTest extends FuzzContract {
    /** What is remembered of clients is soon full, so that any growth beyond it shows. */
    public static class SmallMemories implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "meridian.limiter.leases.table-size", "1000",
                    "meridian.limiter.request-ids.entries", "1000",
                    "meridian.limiter.fallback.limits", "1000",
                    "meridian.limiter.redis.calls-in-flight", "10000");
        }
    }
}
