package io.meridian.limiter.violation;

import io.meridian.model.match.Limit;

/** Whose denials add up. Holds texts only, so that no old rulebook is kept alive. */
record ViolationKey(String policyId, String key, long policyVersion, boolean shadow) {
    static ViolationKey of(Limit limit, boolean shadow) {
        return new ViolationKey(
                limit.policy().id(), limit.key(), limit.policy().revision().version(), shadow);
    }
}
