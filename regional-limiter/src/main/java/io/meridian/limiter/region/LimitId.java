package io.meridian.limiter.region;

import io.meridian.model.match.Limit;

/**
 * Identity of a limit, whatever its terms are just now. It has an order so that a hash table searches a crowded bin as a tree:
 * clients choose the key, and its hash is a public one.
 */
public record LimitId(String policy, String key) implements Comparable<LimitId> {
    public static LimitId of(Limit limit) {
        return new LimitId(limit.policy().id(), limit.key());
    }

    @Override
    public int compareTo(LimitId other) {
        int byKey = key.compareTo(other.key);
        return byKey != 0 ? byKey : policy.compareTo(other.policy);
    }
}
