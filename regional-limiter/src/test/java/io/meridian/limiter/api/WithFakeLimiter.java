package io.meridian.limiter.api;

import io.meridian.limiter.caller.SigningKeys;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;
import java.util.Set;

/**
 * The whole service over {@link FakeLimiter}: for tests of what stands before the limiter. It trusts proxies on this machine and in
 * 10.0.0.0/8, two at most, and tokens of {@link #ISSUER}.
 */
public class WithFakeLimiter implements QuarkusTestProfile {
    static final SigningKeys ISSUER = SigningKeys.ec("issuer", 20_260_101);

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(FakeLimiter.class);
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "meridian.limiter.forwarded.trusted-proxies",
                "127.0.0.0/8,10.0.0.0/8",
                "meridian.limiter.forwarded.trusted-hops",
                "2",
                "meridian.limiter.jwt.public-key",
                ISSUER.pem());
    }

    /** The same with a token that callers must bear, the older draft of the headers, and JWTs that nobody verifies. */
    public static class AndToken extends WithFakeLimiter {
        static final String TOKEN = "s3cr3t-of-callers";

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "meridian.limiter.token",
                    TOKEN,
                    "meridian.limiter.api.ratelimit-draft",
                    "07",
                    "meridian.limiter.jwt.accept-unverified",
                    "true");
        }
    }
}
