package io.meridian.model.match;

import io.meridian.model.algorithm.Quota;
import io.meridian.model.policy.Policy;

/**
 * A policy applied to one key, with a counter of its own.
 *
 * @param key {@code tenant=acme,user_id=42}
 * @param cost what the check is charged here
 * @param unitCost what a check of cost 1 is charged here: what a check of cost 0 asks about
 */
public record Limit(Policy policy, Quota quota, String key, long cost, long unitCost) {}
