package io.meridian.client;

import io.meridian.model.access.TokenEntry;
import io.meridian.model.access.TokenEntry.TokenScope;
import io.meridian.model.access.TokenHash;
import io.meridian.model.access.TokenText;
import io.meridian.stack.servers.RedisServer.RedisRelease;
import io.meridian.testkit.servers.TestRedis;
import io.meridian.testkit.services.LimiterInstances;
import io.meridian.testkit.services.LimiterSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** JUnit extension that gives tests one real limiter with a Redis of its own, for all test classes of the JVM. */
public final class SharedLimiter implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedLimiter.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningLimiter.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(RunningLimiter.class, unused -> RunningLimiter.start(), RunningLimiter.class);
    }

    /** A limiter process and its Redis. Callers need the token. */
    public static final class RunningLimiter implements AutoCloseable {
        public static final String TOKEN = TokenText.of(new byte[TokenText.RANDOM_BYTES]);

        private final TestRedis redis;
        private final LimiterInstances limiters;

        private RunningLimiter(TestRedis redis, LimiterInstances limiters) {
            this.redis = redis;
            this.limiters = limiters;
        }

        static RunningLimiter start() {
            TestRedis redis = TestRedis.start(RedisRelease.PREFERRED);
            TokenEntry caller = new TokenEntry("client", Set.of(TokenScope.CHECK), TokenHash.of(TOKEN));
            LimiterSettings settings = LimiterSettings.ofRegion("us-east")
                    .withRedis(redis.url())
                    .with("meridian.limiter.tokens.list", caller.line())
                    // Busy neighbours of the test must not make a check degraded.
                    .with("meridian.limiter.redis.budget", "5s")
                    .with(
                            "meridian.limiter.policies.file",
                            Path.of("src/test/resources/limits.yaml")
                                    .toAbsolutePath()
                                    .toString());
            return new RunningLimiter(redis, LimiterInstances.start(1, settings));
        }

        public URI address() {
            return limiters.get(0).uri("");
        }

        /** Settings of a client of this limiter that is patient, as the machine may be busy. */
        public ClientSettings.Builder client() {
            return MeridianClient.builder()
                    .limiter(address())
                    .token(TOKEN)
                    .timeout(Duration.ofSeconds(20))
                    .connectTimeout(Duration.ofSeconds(20));
        }

        @Override
        public void close() {
            limiters.close();
            redis.close();
        }
    }
}
