package io.meridian.limiter.policy.source;

import io.meridian.limiter.file.RefusedFileException;
import io.meridian.limiter.policy.RuleSet;
import io.meridian.limiter.policy.RuleSetBuilder;
import io.meridian.model.policy.Policy;
import io.meridian.model.rules.LimitOverride;
import io.meridian.model.rules.RuleEntry;
import io.meridian.model.rules.Tier;
import io.meridian.model.validation.ValidationException;
import io.meridian.model.wire.EntryCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The entries of a file, held against each other, and all that is wrong with them. */
final class FileEntries {
    /** The message of a file that is wrong throughout is cut here. */
    static final int TOLD_MAX = 50;

    private final RuleSetBuilder builder = new RuleSetBuilder();
    private final Set<RuleEntry.Key> keys = new HashSet<>();
    private final Map<String, Policy> policies = new HashMap<>();
    private final List<Placed> overrides = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private String defaultTier = "";
    private int wrongCount;

    private record Placed(String place, LimitOverride override) {}

    void refuse(String place, String reason) {
        wrongCount++;
        if (wrong.size() < TOLD_MAX) {
            wrong.add(place + ": " + reason);
        }
    }

    void add(String place, RuleEntry entry) {
        if (!keys.add(entry.key())) {
            refuse(place, "is the second entry for " + EntryCodec.key(entry.key()));
        } else if (!builder.put(entry)) {
            refuse(place, "is one more than there may be");
        }
        if (entry instanceof RuleEntry.OfPolicy policy) {
            policies.put(policy.policy().id(), policy.policy());
        } else if (entry instanceof RuleEntry.OfOverride override) {
            overrides.add(new Placed(place, override.override()));
        } else if (entry instanceof RuleEntry.OfTier tier && tier.tier().isDefault()) {
            defaultTier(place, tier.tier().name());
        }
    }

    /** A tier is the default by its own word or by the file's; both may say so, of the same one. */
    void defaultTier(String place, String name) {
        if (!defaultTier.isEmpty() && !defaultTier.equals(name)) {
            refuse(place, "must leave " + defaultTier + " the only default tier, got " + name);
            return;
        }
        defaultTier = name;
        if (!keys.contains(new RuleEntry.Key.OfTier(name))) {
            try {
                builder.put(new RuleEntry.OfTier(new Tier(name, "", true)));
            } catch (ValidationException invalid) {
                refuse(place, String.valueOf(invalid.getMessage()));
            }
        }
    }

    RuleSet publish() throws RefusedFileException {
        for (Placed placed : overrides) {
            check(placed.place, placed.override);
        }
        if (wrongCount > 0) {
            String more = wrongCount > wrong.size() ? "; and " + (wrongCount - wrong.size()) + " more" : "";
            throw new RefusedFileException(String.join("; ", wrong) + more);
        }
        return withDefaultTier(builder.publish());
    }

    private RuleSet withDefaultTier(RuleSet rules) {
        Tier tier = rules.tiers().get(defaultTier);
        if (tier == null || tier.isDefault()) {
            return rules;
        }
        builder.put(new RuleEntry.OfTier(tier.asDefault(true)));
        return builder.publish();
    }

    private void check(String place, LimitOverride override) {
        Policy policy = policies.get(override.policy());
        if (policy == null) {
            refuse(place, "policy must be the id of a policy of this file, got " + override.policy());
            return;
        }
        try {
            policy.limitSpec().with(override.limit(), override.burst());
        } catch (ValidationException unfit) {
            refuse(place, String.valueOf(unfit.getMessage()));
        }
    }
}
