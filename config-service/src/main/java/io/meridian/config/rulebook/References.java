package io.meridian.config.rulebook;

import io.meridian.config.rulebook.ChangeRefused.Reason;
import io.meridian.config.rulebook.Outcome.What;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.validation.Validator;
import java.util.Map;
import java.util.Optional;

/** Whether what changed entries refer to exists in the rulebook that results, and whether that is not larger than limiters take. */
record References(Map<RuleEntry.Key, Outcome> outcomes, Known known) {
    /** What a limiter takes of policies and of tiers. */
    static final long COUNT_MAX = 10_000;

    void check() {
        Validator rules = new Validator();
        for (Outcome outcome : outcomes.values()) {
            outcome.after().ifPresent(stored -> check(rules, stored.entry()));
        }
        checkCount(rules, Kind.POLICY);
        checkCount(rules, Kind.TIER);
        rules.throwIfInvalid();
        outcomes.values().stream()
                .filter(outcome -> outcome.what() == What.DELETED)
                .forEach(this::checkUnused);
    }

    private void check(Validator rules, RuleEntry entry) {
        if (entry instanceof RuleEntry.OfClientTier of) {
            String tier = of.clientTier().tier();
            rules.require(after(new RuleEntry.Key.OfTier(tier)).isPresent(), "tier", tier, "must be a tier that exists");
        }
        if (entry instanceof RuleEntry.OfOverride of) {
            check(rules, of.override());
        }
    }

    private void check(Validator rules, LimitOverride override) {
        Optional<Policy> policy = after(new RuleEntry.Key.OfPolicy(override.policy()))
                .map(stored -> ((RuleEntry.OfPolicy) stored.entry()).policy());
        rules.require(policy.isPresent(), "policy", override.policy(), "must be a policy that exists");
        policy.ifPresent(of -> rules.require(
                of.limitSpec().takes(override.limit(), override.burst()),
                "limit",
                override.limit() + " with burst " + override.burst(),
                "must be what the policy can take: " + of.limitSpec().algorithm().text() + " with its costs"));
    }

    private Optional<Stored> after(RuleEntry.Key key) {
        Outcome changed = outcomes.get(key);
        return changed != null
                ? changed.after()
                : Optional.ofNullable(known.entries().get(key));
    }

    private void checkCount(Validator rules, Kind kind) {
        long created = count(kind, What.CREATED);
        long total = known.counts().getOrDefault(kind, 0L) + created - count(kind, What.DELETED);
        rules.require(created == 0 || total <= COUNT_MAX, kind.collection(), total, "must be at most " + COUNT_MAX);
    }

    private long count(Kind kind, What what) {
        return outcomes.values().stream()
                .filter(outcome -> outcome.what() == what && Kind.of(outcome.key()) == kind)
                .count();
    }

    private void checkUnused(Outcome deleted) {
        if (deleted.key() instanceof RuleEntry.Key.OfTier tier && known.usedTiers().contains(tier.name())) {
            throw new ChangeRefused(
                    Reason.IN_USE,
                    "tier " + tier.name() + " still has clients; give them another first",
                    deleted.before());
        }
    }
}
