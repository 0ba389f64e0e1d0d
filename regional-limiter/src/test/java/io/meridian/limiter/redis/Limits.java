package io.meridian.limiter.redis;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.KeySpec;
import io.meridian.model.policy.Policy;

/** Limits for tests of asking, in a window that does not end meanwhile. */
final class Limits {
    private Limits() {}

    static Limit of(String policy, long limit) {
        Policy counted = Policy.of(policy, KeySpec.ONE_FOR_ALL, Algorithm.FIXED_WINDOW, limit, Window.parse("31d"));
        return new Limit(counted, counted.limitSpec().quota(), "", 1, 1);
    }
}
