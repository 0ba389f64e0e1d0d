package io.meridian.model.rules;

import io.meridian.model.algorithm.Quota;
import io.meridian.model.policy.Policy;
import io.meridian.model.validation.Validator;

/**
 * Another limit and burst for one client of one policy. Whether the policy's algorithm can take them shows only where both
 * are at hand.
 *
 * @param policy the policy's id
 */
public record LimitOverride(String policy, Identifier identifier, long limit, long burst, Expiry expiry) {
    public LimitOverride {
        new Validator()
                .require(Policy.isId(policy), "policy", policy, "must be the id of a policy")
                .require(limit >= 1 && limit <= Quota.MAX, "limit", limit, "must be from 1 to " + Quota.MAX)
                .require(burst >= 0 && burst <= Quota.MAX, "burst", burst, "must be from 0 to " + Quota.MAX)
                .throwIfInvalid();
    }
}
