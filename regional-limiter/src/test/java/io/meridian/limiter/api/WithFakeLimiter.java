package io.meridian.limiter.api;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import java.util.Set;

/** The whole service over {@link FakeLimiter}: for tests of what stands before the limiter. */
public class WithFakeLimiter implements QuarkusTestProfile {
    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(FakeLimiter.class);
    }

    /** The same with a token that callers must bear, and the older draft of the headers. */
    public static class AndToken extends WithFakeLimiter {
        static final String TOKEN = "s3cr3t-of-callers";

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("meridian.limiter.token", TOKEN, "meridian.limiter.api.ratelimit-draft", "07");
        }
    }
}
