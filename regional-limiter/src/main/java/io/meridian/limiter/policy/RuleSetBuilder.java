package io.meridian.limiter.policy;

import io.meridian.limiter.policy.table.IdentifierTable;
import io.meridian.limiter.policy.table.IdentifierTableWriter;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier.ClientTier;
import io.meridian.model.rules.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The one who changes a set of rules, and publishes what then holds. What exceeds a bound is refused, the rest applies. */
public final class RuleSetBuilder {
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
            return list(line.list()).put(listed.identifier(), listed.expiry().micros());
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

    /** What holds now: parts that did not change are the same objects as before. */
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
