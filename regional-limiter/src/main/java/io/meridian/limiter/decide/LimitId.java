package io.meridian.limiter.decide;

import io.meridian.model.match.Limit;

/** Which limit, whatever its terms are just now. */
public record LimitId(String policy, String key) {
    public static LimitId of(Limit limit) {
        return new LimitId(limit.policy().id(), limit.key());
    }
}
