package io.meridian.model.rulebook;

import io.meridian.model.algorithm.Terms;
import io.meridian.model.policy.Policy;
import io.meridian.model.rule.Rules;

/**
 * Another limit and burst for one client of one policy. Whether the policy's algorithm can take them shows only where both
 * are at hand.
 *
 * @param policy the policy's id
 */
public record LimitOverride(String policy, Identifier identifier, long limit, long burst, Expiry expiry) {
    public LimitOverride {
        new Rules()
                .require(Policy.isId(policy), "policy", policy, "must be the id of a policy")
                .require(limit >= 1 && limit <= Terms.MAX, "limit", limit, "must be from 1 to " + Terms.MAX)
                .require(burst >= 0 && burst <= Terms.MAX, "burst", burst, "must be from 0 to " + Terms.MAX)
                .throwIfBroken();
    }
}
