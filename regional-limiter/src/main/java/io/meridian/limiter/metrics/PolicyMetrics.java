package io.meridian.limiter.metrics;

import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each policy said. The first {@link #POLICIES_MAX} ids that this process counts for have a tag value of their own, all
 * further ones share {@value #OTHER}.
 */
public final class PolicyMetrics {
    /** How many ids have a tag value of their own. */
    public static final int POLICIES_MAX = 100;

    static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Counts<Provenance> sources;
    private final Map<String, Counts<LimitOutcome>> byId = new ConcurrentHashMap<>();
    private final Counts<LimitOutcome> others;
    private volatile PolicyTable<Counts<LimitOutcome>> resolved = new PolicyTable<>();

    PolicyMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.others = outcomes(OTHER);
        this.sources = new Counts<>(
                registry,
                LimiterMetrics.DECIDED_BY,
                "Limits decided, by what decided them",
                Tags.empty(),
                "decided_by",
                Provenance.class);
    }

    /** A limit of this policy said so. */
    public void decided(Policy policy, LimitOutcome outcome, Provenance source) {
        PolicyTable<Counts<LimitOutcome>> table = resolved;
        Counts<LimitOutcome> outcomes = table.find(policy);
        if (outcomes == null) {
            outcomes = resolve(policy.id());
            table.keep(policy, outcomes);
        }
        outcomes.add(outcome, 1);
        sources.add(source, 1);
    }

    /** Lets go of the policies of a rulebook that is no more; what was counted stays. */
    void forgetPolicies() {
        resolved = new PolicyTable<>();
    }

    private Counts<LimitOutcome> resolve(String id) {
        Counts<LimitOutcome> known = byId.get(id);
        return known == null ? admit(id) : known;
    }

    private Counts<LimitOutcome> admit(String id) {
        if (byId.size() >= POLICIES_MAX || id.equals(OTHER)) {
            return others;
        }
        synchronized (byId) {
            boolean known = byId.containsKey(id);
            return known || byId.size() < POLICIES_MAX ? byId.computeIfAbsent(id, this::outcomes) : others;
        }
    }

    private Counts<LimitOutcome> outcomes(String id) {
        return new Counts<>(
                registry,
                LimiterMetrics.DECISIONS,
                "Limits decided, by policy",
                Tags.of("policy", id),
                "outcome",
                LimitOutcome.class);
    }
}
