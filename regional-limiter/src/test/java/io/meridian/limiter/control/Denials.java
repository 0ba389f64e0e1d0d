package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Limits, checks and settings for tests of denials. */
final class Denials {
    static final Policy POLICY =
            Policy.of("api-default", KeySpec.of("user_id"), Algorithm.FIXED_WINDOW, 10, Window.parse("1m"));
    static final Standing STANDING = new Standing(10, 0, 60_000_000);
    static final Check CHECK = check("/api/v1/users");

    private Denials() {}

    static Limit limit(int user, long cost) {
        return new Limit(POLICY, Quota.of(10, 0, Window.parse("1m")), "user_id=" + user, cost, 1);
    }

    static Check check(String endpoint) {
        return new Check(Map.of("user_id", "1"), endpoint, "GET", Map.of(), "", 1);
    }

    static ViolationConfig config(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .addDefaultInterceptors()
                .withMapping(ViolationConfig.class)
                .withDefaultValues(settings)
                .build();
        return config.getConfigMapping(ViolationConfig.class);
    }
}
