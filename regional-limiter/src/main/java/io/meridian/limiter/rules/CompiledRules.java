package io.meridian.limiter.rules;

import io.meridian.limiter.rules.table.IdentifierTable;
import io.meridian.limiter.rules.table.IdentifierTable.Fit;
import io.meridian.limiter.rules.table.IdentifierTable.Found;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.match.PolicyIndex;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules compiled for checks. An empty part costs a check only the test for emptiness. */
final class CompiledRules implements RegionRules {
    private static final Listing UNLISTED = new Listing.Unlisted();
    private static final Listing EXEMPT = new Listing.Exempt();

    private final RuleSet rules;
    private final PolicyIndex snapshot;
    private final String defaultTier;
    private final Map<String, PolicyTerms> terms;
    /** By the name of the tier. */
    private final Map<String, Optional<String>> upgradeUrls;

    private CompiledRules(RuleSet rules, PolicyIndex snapshot, Map<String, PolicyTerms> terms) {
        this.rules = rules;
        this.snapshot = snapshot;
        this.terms = terms;
        this.defaultTier = rules.tiers().values().stream()
                .filter(Tier::isDefault)
                .map(Tier::name)
                .sorted()
                .findFirst()
                .orElse("");
        this.upgradeUrls = rules.tiers().values().stream()
                .filter(tier -> tier.upgradeUrl().isPresent())
                .collect(Collectors.toUnmodifiableMap(Tier::name, Tier::upgradeUrl));
    }

    /** Compiles what applies in a region; what did not change since the rules before is taken from there. */
    @SuppressWarnings("ReferenceEquality") // what did not change is the same object
    static CompiledRules compile(RuleSet rules, String region, @Nullable CompiledRules before) {
        PolicyIndex snapshot = before != null && before.rules.policies() == rules.policies()
                ? before.snapshot
                : PolicyIndex.compile(rules.policies().values(), region);
        Map<String, PolicyTerms> terms = new HashMap<>();
        for (Policy policy : snapshot.policies()) {
            IdentifierTable overrides = rules.overrides().getOrDefault(policy.id(), IdentifierTable.EMPTY);
            if (policy.enforcement().adaptive() || !overrides.isEmpty()) {
                PolicyTerms known = before == null ? null : before.terms.get(policy.id());
                terms.put(
                        policy.id(),
                        known != null && known.isOf(policy, overrides, rules.adaptive())
                                ? known
                                : new PolicyTerms(policy, overrides, rules.adaptive()));
            }
        }
        return new CompiledRules(rules, snapshot, terms);
    }

    RuleSet rules() {
        return rules;
    }

    /** How many policies apply in this region. */
    int policies() {
        return snapshot.policies().size();
    }

    /** By policy, how many overrides it cannot take; to a check they do not exist. */
    Map<String, Long> unfitOverrides() {
        Map<String, Long> unfit = new HashMap<>();
        terms.forEach((policy, each) -> {
            if (each.unfit() > 0) {
                unfit.put(policy, each.unfit());
            }
        });
        return unfit;
    }

    @Override
    public Listing listing(Check check, long nowMicros) {
        if (!rules.denied().isEmpty()) {
            Found found = rules.denied().find(check, nowMicros);
            if (found != null) {
                return new Listing.Barred(found.type(), found.identifier(check));
            }
        }
        boolean exempt = !rules.allowed().isEmpty() && rules.allowed().find(check, nowMicros) != null;
        return exempt ? EXEMPT : UNLISTED;
    }

    @Override
    public Optional<Policy> policy(String id) {
        return Optional.ofNullable(rules.policies().get(id));
    }

    @Override
    public Optional<String> tier(Check client, long nowMicros) {
        return Optional.of(tierOf(client, nowMicros)).filter(tier -> !tier.isEmpty());
    }

    @Override
    public Optional<String> upgradeUrl(Check check, long nowMicros) {
        return upgradeUrls.isEmpty()
                ? Optional.empty()
                : upgradeUrls.getOrDefault(tierOf(check, nowMicros), Optional.empty());
    }

    @Override
    public List<Limit> limits(Check check, Optional<Integer> loadPercent, long nowMicros) {
        String tier = tierOf(check, nowMicros);
        return applied(snapshot.match(check.withTier(tier)), tier, check, loadPercent, nowMicros);
    }

    @Override
    public List<Limit> clientLimits(
            Check client, boolean endpointKnown, Optional<Integer> loadPercent, long nowMicros) {
        String tier = tierOf(client, nowMicros);
        List<Limit> limits = snapshot.ofClient(client.withTier(tier), endpointKnown);
        return applied(limits, tier, client, loadPercent, nowMicros);
    }

    /** Matched limits that apply to the tier, with the client's own terms applied. */
    private List<Limit> applied(
            List<Limit> limits, String tier, Check check, Optional<Integer> loadPercent, long nowMicros) {
        if (tier.equals(Tier.UNLIMITED)) {
            limits.removeIf(limit -> limit.policy().appliesTo().tiers().isEmpty());
        }
        if (!terms.isEmpty()) {
            int load = loadPercent.orElse(-1);
            for (int i = 0; i < limits.size(); i++) {
                PolicyTerms own = terms.get(limits.get(i).policy().id());
                if (own != null) {
                    limits.set(i, own.applied(limits.get(i), check, load, nowMicros));
                }
            }
        }
        return limits;
    }

    private String tierOf(Check check, long nowMicros) {
        Found found = rules.clientTiers().isEmpty() ? null : rules.clientTiers().find(check, nowMicros);
        return found == null ? defaultTier : rules.tierNames().get((int) found.payload(RuleSet.TIER));
    }

    /** Terms of a policy that are not the same for all clients at all times: overridden, adaptive, or both. */
    static final class PolicyTerms {
        private static final int FULL = 100;

        /** Terms that were made are kept for the next check, up to this number; beyond it they are made each time. */
        private static final int KEPT_MAX = 1_024;

        private final Policy policy;
        private final IdentifierTable overrides;
        private final AdaptiveTable adaptive;
        private final int[] percentByLoad;
        private final Fit fit;
        private final long unfit;
        private final Map<Variant, Quota> kept = new ConcurrentHashMap<>();

        PolicyTerms(Policy policy, IdentifierTable overrides, AdaptiveTable adaptive) {
            LimitSpec counting = policy.limitSpec();
            this.policy = policy;
            this.overrides = overrides;
            this.adaptive = adaptive;
            this.percentByLoad = new int[FULL + 1];
            for (int load = 0; load <= FULL; load++) {
                percentByLoad[load] = policy.enforcement().adaptive() ? adaptive.limitPercent(load) : FULL;
            }
            this.fit = payload -> counting.takes(payload[RuleSet.LIMIT], payload[RuleSet.BURST]);
            this.unfit = overrides.countUnfit(fit);
        }

        /** Whether these are still the terms of this policy with these overrides and this table. */
        @SuppressWarnings(
                "ReferenceEquality") // what did not change is the same object: to compare a million takes too long
        boolean isOf(Policy otherPolicy, IdentifierTable otherOverrides, AdaptiveTable otherAdaptive) {
            return policy == otherPolicy && overrides == otherOverrides && adaptive.equals(otherAdaptive);
        }

        /** How many overrides the policy cannot take; to a check they do not exist. */
        long unfit() {
            return unfit;
        }

        /**
         * The limit under the client's terms.
         *
         * @param loadPercent negative if none was reported
         */
        Limit applied(Limit limit, Check check, int loadPercent, long nowMicros) {
            int percent = loadPercent < 0 ? FULL : percentByLoad[Math.min(loadPercent, FULL)];
            Found override = overrides.isEmpty() ? null : overrides.find(check, nowMicros, fit);
            if (override == null && percent == FULL) {
                return limit;
            }
            Variant variant = override == null
                    ? new Variant(limit.quota().limit(), limit.quota().burst(), percent)
                    : new Variant(override.payload(RuleSet.LIMIT), override.payload(RuleSet.BURST), percent);
            return new Limit(limit.policy(), terms(variant), limit.key(), limit.cost(), limit.unitCost());
        }

        private Quota terms(Variant variant) {
            Quota known = kept.get(variant);
            if (known != null) {
                return known;
            }
            Quota made = policy.limitSpec().with(variant.limit, variant.burst).quota(variant.percent);
            if (kept.size() < KEPT_MAX) {
                kept.put(variant, made);
            }
            return made;
        }

        private record Variant(long limit, long burst, int percent) {}
    }
}
