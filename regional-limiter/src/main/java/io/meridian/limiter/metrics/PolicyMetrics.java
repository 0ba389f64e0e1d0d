package io.meridian.limiter.metrics;

import io.meridian.model.policy.Policy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Meters of decisions by policy. The first {@link #POLICIES_MAX} ids that this process counts for have a tag value of their own,
 * all further ones share {@value #OTHER}.
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
                "Limits decided, by the part that decided them",
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

    /** Lets go of the policies of a rules that is no more; what was counted stays. */
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

    /** Outcome of one limit of a check. */
    public enum LimitOutcome {
        ALLOWED,
        DENIED,
        THROTTLED,
        /** A policy that only records would have denied. */
        SHADOW_DENIED
    }

    /** Source of a limit's result; the names are those of answers. */
    public enum Provenance {
        LEASE,
        REGION,
        GLOBAL,
        FALLBACK
    }

    /**
     * Values by policy, found by the object itself: a policy's own equality reads all of it. Of fixed size and without locks; what
     * finds no room near its place is not kept and has to be looked up elsewhere each time.
     */
    static final class PolicyTable<V> {
        private static final int SLOTS = 8_192;
        private static final int PROBES_MAX = 16;

        private record Entry<V>(Policy policy, V value) {}

        private final AtomicReferenceArray<@Nullable Entry<V>> slots = new AtomicReferenceArray<>(SLOTS);

        @SuppressWarnings("ReferenceEquality")
        @Nullable V find(Policy policy) {
            int home = System.identityHashCode(policy);
            for (int probe = 0; probe < PROBES_MAX; probe++) {
                Entry<V> entry = slots.getAcquire(slot(home, probe));
                if (entry == null) {
                    return null;
                }
                if (entry.policy == policy) {
                    return entry.value;
                }
            }
            return null;
        }

        void keep(Policy policy, V value) {
            Entry<V> entry = new Entry<>(policy, value);
            int home = System.identityHashCode(policy);
            for (int probe = 0; probe < PROBES_MAX; probe++) {
                if (slots.compareAndSet(slot(home, probe), null, entry)) {
                    return;
                }
            }
        }

        private static int slot(int home, int probe) {
            return (home + probe) & (SLOTS - 1);
        }
    }
}
