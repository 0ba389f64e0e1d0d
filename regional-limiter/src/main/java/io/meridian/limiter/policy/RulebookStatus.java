package io.meridian.limiter.policy;

import java.util.Map;

/**
 * What is known of the rulebook in effect.
 *
 * @param origin where it came from
 * @param intended whether that is where it was to come from, rather than what stands in for it
 * @param changedMicros the wall clock when it took effect
 * @param confirmedMicros the wall clock when it was last known to be what its source says: what is not confirmed for
 *     long is stale
 * @param revision the highest revision of the central rulebook that is in it, {@link #NO_REVISION} if none is known
 * @param policies how many apply in this region
 * @param clientEntries how many entries lists, client tiers and overrides have, expired ones included
 * @param refused how often something was not taken, by kind: a kind of record, {@code file} or {@code copy}
 * @param unfitOverrides how many overrides their policy cannot take
 */
public record RulebookStatus(
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
