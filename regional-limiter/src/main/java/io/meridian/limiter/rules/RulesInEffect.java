package io.meridian.limiter.rules;

import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import java.util.Locale;
import java.util.Map;

/** Port to the rules in effect. */
public interface RulesInEffect {
    RegionRules current();

    /** Where the rules of now came from, and how much it is to be trusted. */
    RulesStatus status();

    /** Origin of rules. */
    enum RuleOrigin {
        /** The file the limiter was told to follow. */
        FILE,
        /** The policies topic. */
        TOPIC,
        /** The last known good copy on disk. */
        COPY,
        /** The policies built into the limiter. */
        DEFAULTS;

        /** The name in metrics and health. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Status of the rules in effect.
     *
     * @param origin where it came from
     * @param intended whether that is where it was to come from, rather than what stands in for it
     * @param changedMicros the wall clock when it took effect
     * @param confirmedMicros the wall clock when it was last known to be what its source says: what is not confirmed for
     *     long is stale
     * @param revision the highest revision of the central rules that is in it, {@link #NO_REVISION} if none is known
     * @param policies how many apply in this region
     * @param clientEntries how many entries lists, client tiers and overrides have, expired ones included
     * @param refused how often something was not taken, by kind: a kind of record, {@code file} or {@code copy}
     * @param unfitOverrides how many overrides their policy cannot take
     */
    record RulesStatus(
            RuleOrigin origin,
            boolean intended,
            long changedMicros,
            long confirmedMicros,
            long revision,
            int policies,
            long clientEntries,
            Map<String, Long> refused,
            long unfitOverrides) {
        public static final long NO_REVISION = 0;

        /** For how long it has not been confirmed. */
        public long ageMicros(long nowMicros) {
            return Math.max(0, nowMicros - confirmedMicros);
        }
    }
}
