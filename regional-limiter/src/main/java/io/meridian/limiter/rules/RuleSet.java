package io.meridian.limiter.rules;

import io.meridian.limiter.rules.table.IdentifierTable;
import io.meridian.limiter.rules.table.IdentifierTableWriter;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.rules.Tier.ClientTier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * All entries of the rules, for every region: immutable. Reasons and descriptions of clients' entries are not kept: no decision
 * needs them, and there may be a million.
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

    /** Visit of a set of rules entry by entry: none outlives its visit, so that a million take no more than one. */
    public static final class RuleEntries {
        private RuleEntries() {}

        public static void forEach(RuleSet rules, Consumer<RuleEntry> visitor) {
            rules.policies().values().forEach(policy -> visitor.accept(new RuleEntry.OfPolicy(policy)));
            rules.tiers().values().forEach(tier -> visitor.accept(new RuleEntry.OfTier(tier)));
            if (!rules.adaptive().equals(AdaptiveTable.DEFAULT)) {
                visitor.accept(new RuleEntry.OfAdaptive(rules.adaptive()));
            }
            list(ListKind.ALLOW, rules.allowed(), visitor);
            list(ListKind.DENY, rules.denied(), visitor);
            rules.clientTiers().forEach((identifier, payload) -> {
                String tier = rules.tierNames().get((int) payload[RuleSet.TIER]);
                visitor.accept(new RuleEntry.OfClientTier(new ClientTier(identifier, tier)));
            });
            rules.overrides().forEach((policy, table) -> overrides(policy, table, visitor));
        }

        private static void list(ListKind kind, IdentifierTable table, Consumer<RuleEntry> visitor) {
            table.forEach((identifier, payload) -> visitor.accept(
                    new RuleEntry.OfList(kind, new ListEntry(identifier, "", new Expiry(payload[RuleSet.EXPIRES])))));
        }

        private static void overrides(String policy, IdentifierTable table, Consumer<RuleEntry> visitor) {
            table.forEach((identifier, payload) -> visitor.accept(new RuleEntry.OfOverride(new LimitOverride(
                    policy,
                    identifier,
                    payload[RuleSet.LIMIT],
                    payload[RuleSet.BURST],
                    new Expiry(payload[RuleSet.EXPIRES])))));
        }
    }

    /**
     * Builder of sets of rules, which applies changes and publishes the result. An entry beyond a bound is refused, the rest
     * applies.
     */
    public static final class RuleSetBuilder {
        /** Tiers, and names of tiers that clients have had, beyond this number are refused. */
        static final int TIERS_MAX = 10_000;

        private final Map<String, Policy> policies = new HashMap<>();
        private final Map<String, Tier> tiers = new HashMap<>();
        private final IdentifierTableWriter allowed = new IdentifierTableWriter(1);
        private final IdentifierTableWriter denied = new IdentifierTableWriter(1);
        private final IdentifierTableWriter clientTiers = new IdentifierTableWriter(2);
        private final Map<String, Integer> tierNames = new HashMap<>();
        private final Map<String, IdentifierTableWriter> overrides = new HashMap<>();
        private AdaptiveTable adaptive = AdaptiveTable.DEFAULT;
        private Map<String, Policy> publishedPolicies = Map.of();
        private boolean policiesChanged;

        /** Whether the change was made; not if it exceeds a bound. */
        public boolean apply(RuleEntry.Change change) {
            if (change instanceof RuleEntry.Change.Put put) {
                return put(put.entry());
            }
            if (change instanceof RuleEntry.Change.Removed removed) {
                remove(removed.key());
            }
            return true;
        }

        /** Whether the entry is there now; not if it exceeds a bound. */
        public boolean put(RuleEntry entry) {
            if (entry instanceof RuleEntry.OfPolicy policy) {
                policiesChanged = true;
                return put(policies, policy.policy().id(), policy.policy(), PolicyIndex.POLICIES_MAX);
            } else if (entry instanceof RuleEntry.OfTier tier) {
                return put(tiers, tier.tier().name(), tier.tier(), TIERS_MAX);
            } else if (entry instanceof RuleEntry.OfClientTier client) {
                return put(client.clientTier());
            } else if (entry instanceof RuleEntry.OfOverride override) {
                return put(override.override());
            } else if (entry instanceof RuleEntry.OfList line) {
                ListEntry listed = line.entry();
                return list(line.list())
                        .put(listed.identifier(), listed.expiry().micros());
            } else if (entry instanceof RuleEntry.OfAdaptive table) {
                adaptive = table.table();
            }
            return true;
        }

        private void remove(RuleEntry.Key key) {
            if (key instanceof RuleEntry.Key.OfPolicy policy) {
                policiesChanged |= policies.remove(policy.id()) != null;
            } else if (key instanceof RuleEntry.Key.OfTier tier) {
                tiers.remove(tier.name());
            } else if (key instanceof RuleEntry.Key.OfClientTier client) {
                clientTiers.remove(client.identifier());
            } else if (key instanceof RuleEntry.Key.OfOverride override) {
                IdentifierTableWriter writer = overrides.get(override.policy());
                if (writer != null) {
                    writer.remove(override.identifier());
                }
            } else if (key instanceof RuleEntry.Key.OfList line) {
                list(line.list()).remove(line.identifier());
            } else if (key instanceof RuleEntry.Key.OfAdaptive) {
                adaptive = AdaptiveTable.DEFAULT;
            }
        }

        /** Immutable set of the current entries: unchanged parts are the same objects as before. */
        public RuleSet publish() {
            if (policiesChanged) {
                publishedPolicies = Map.copyOf(policies);
                policiesChanged = false;
            }
            overrides.values().removeIf(writer -> writer.publish().isEmpty());
            Map<String, IdentifierTable> publishedOverrides = new HashMap<>();
            overrides.forEach((policy, writer) -> publishedOverrides.put(policy, writer.publish()));
            String[] names = new String[tierNames.size()];
            tierNames.forEach((name, index) -> names[index] = name);
            return new RuleSet(
                    publishedPolicies,
                    Map.copyOf(tiers),
                    adaptive,
                    allowed.publish(),
                    denied.publish(),
                    clientTiers.publish(),
                    List.of(names),
                    Map.copyOf(publishedOverrides));
        }

        private boolean put(ClientTier client) {
            Integer index = tierNames.get(client.tier());
            if (index == null && tierNames.size() >= TIERS_MAX) {
                return false;
            }
            int known = index == null ? tierNames.size() : index;
            tierNames.put(client.tier(), known);
            return clientTiers.put(client.identifier(), Long.MAX_VALUE, known);
        }

        private boolean put(LimitOverride override) {
            if (overrides.size() >= PolicyIndex.POLICIES_MAX && !overrides.containsKey(override.policy())) {
                return false;
            }
            return overrides
                    .computeIfAbsent(override.policy(), policy -> new IdentifierTableWriter(3))
                    .put(override.identifier(), override.expiry().micros(), override.limit(), override.burst());
        }

        private static <T> boolean put(Map<String, T> map, String key, T value, int entriesMax) {
            boolean fits = map.size() < entriesMax || map.containsKey(key);
            if (fits) {
                map.put(key, value);
            }
            return fits;
        }

        private IdentifierTableWriter list(ListKind kind) {
            return switch (kind) {
                case ALLOW -> allowed;
                case DENY -> denied;
            };
        }
    }
}
