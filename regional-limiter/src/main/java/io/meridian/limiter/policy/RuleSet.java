package io.meridian.limiter.policy;

import io.meridian.limiter.policy.table.IdentifierTable;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;
import io.meridian.model.rulebook.ClientTier;
import io.meridian.model.rulebook.Entry;
import io.meridian.model.rulebook.Expiry;
import io.meridian.model.rulebook.LimitOverride;
import io.meridian.model.rulebook.ListEntry;
import io.meridian.model.rulebook.ListKind;
import io.meridian.model.rulebook.Tier;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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

    /** Shows a set of rules entry by entry: none outlives its visit, so that a million take no more than one. */
    public static final class RuleEntries {
        private RuleEntries() {}

        public static void forEach(RuleSet rules, Consumer<Entry> visitor) {
            rules.policies().values().forEach(policy -> visitor.accept(new Entry.OfPolicy(policy)));
            rules.tiers().values().forEach(tier -> visitor.accept(new Entry.OfTier(tier)));
            if (!rules.adaptive().equals(AdaptiveTable.DEFAULT)) {
                visitor.accept(new Entry.OfAdaptive(rules.adaptive()));
            }
            list(ListKind.ALLOW, rules.allowed(), visitor);
            list(ListKind.DENY, rules.denied(), visitor);
            rules.clientTiers().forEach((identifier, payload) -> {
                String tier = rules.tierNames().get((int) payload[RuleSet.TIER]);
                visitor.accept(new Entry.OfClientTier(new ClientTier(identifier, tier)));
            });
            rules.overrides().forEach((policy, table) -> overrides(policy, table, visitor));
        }

        private static void list(ListKind kind, IdentifierTable table, Consumer<Entry> visitor) {
            table.forEach((identifier, payload) -> visitor.accept(
                    new Entry.OfList(kind, new ListEntry(identifier, "", new Expiry(payload[RuleSet.EXPIRES])))));
        }

        private static void overrides(String policy, IdentifierTable table, Consumer<Entry> visitor) {
            table.forEach((identifier, payload) -> visitor.accept(new Entry.OfOverride(new LimitOverride(
                    policy,
                    identifier,
                    payload[RuleSet.LIMIT],
                    payload[RuleSet.BURST],
                    new Expiry(payload[RuleSet.EXPIRES])))));
        }
    }
}
