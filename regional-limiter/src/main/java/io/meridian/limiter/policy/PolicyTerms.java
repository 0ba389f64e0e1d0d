package io.meridian.limiter.policy;

import io.meridian.limiter.policy.table.Fit;
import io.meridian.limiter.policy.table.Found;
import io.meridian.limiter.policy.table.IdentifierTable;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.AdaptiveTable;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.Policy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The terms of a policy that are not the same for all clients at all times: overridden, adaptive, or both. */
final class PolicyTerms {
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
