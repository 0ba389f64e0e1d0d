package io.meridian.limiter.policy;

import io.meridian.limiter.policy.table.IdentifierTable;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.rules.Expiry;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.ListEntry.ListKind;
import io.meridian.model.rules.ListEntry;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier.ClientTier;
import java.util.function.Consumer;

/** Shows a set of rules entry by entry: none outlives its visit, so that a million take no more than one. */
public final class RuleEntries {
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
