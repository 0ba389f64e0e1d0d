package io.meridian.limiter.policy;

import io.meridian.limiter.policy.table.IdentifierTable;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Tier;
import java.util.List;
import java.util.Map;

/**
 * All entries of a rulebook, for every region: immutable. Reasons and descriptions of clients' entries are not kept: no
 * decision needs them, and there may be a million.
 *
 * @param policies by id
 * @param tiers by name
 * @param clientTiers payload: expiry, index into {@code tierNames}
 * @param overrides by policy id; payload: expiry, limit, burst
 */
public record RuleSet(
        Map<String, Policy> policies,
        Map<String, Tier> tiers,
        AdaptiveTable adaptive,
        IdentifierTable allowed,
        IdentifierTable denied,
        IdentifierTable clientTiers,
        List<String> tierNames,
        Map<String, IdentifierTable> overrides) {
    static final int EXPIRES = 0;
    static final int TIER = 1;
    static final int LIMIT = 1;
    static final int BURST = 2;

    /** The entries of lists, client tiers and overrides together. */
    public long clientEntries() {
        return allowed.size() + denied.size() + clientTiers.size() + overrideEntries();
    }

    private long overrideEntries() {
        return overrides.values().stream().mapToLong(IdentifierTable::size).sum();
    }
}
