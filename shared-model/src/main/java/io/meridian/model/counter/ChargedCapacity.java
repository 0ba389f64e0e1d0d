package io.meridian.model.counter;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.DrainRate;
import io.meridian.model.algorithm.Quota;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Coordination.AfterHeal;

/**
 * Capacity up to which a counter without aligned windows is charged with usage elsewhere: what is above its own capacity is forgiven,
 * but for a policy that caps it. There it counts up to twice the capacity, or as far as the counter still counts exactly.
 */
public final class ChargedCapacity {
    /** The most that what slides counts to: it has five bytes for what was taken at one time. */
    private static final long COUNT_MAX = (1L << 40) - 1;

    private ChargedCapacity() {}

    public static long of(Limit limit) {
        Quota quota = limit.quota();
        if (limit.policy().coordination().afterHeal() != AfterHeal.CAP) {
            return quota.capacity();
        }
        long capped = Math.min(2 * quota.capacity(), quota.limit() + Quota.MAX);
        Algorithm algorithm = limit.policy().limitSpec().algorithm();
        long exact =
                algorithm.isBucket() ? DrainRate.EXACT_MAX / quota.drainRate().unitsPerToken() : COUNT_MAX;
        return Math.max(quota.capacity(), Math.min(capped, exact));
    }

    /** The limit with that capacity. Its rate is the same, so a counter means the same to both. */
    static Limit stretched(Limit limit) {
        Quota quota = limit.quota();
        Quota charged = Quota.of(quota.limit(), of(limit) - quota.limit(), quota.window());
        return new Limit(limit.policy(), charged, limit.key(), limit.cost(), limit.unitCost());
    }
}
