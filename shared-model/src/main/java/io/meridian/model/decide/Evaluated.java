package io.meridian.model.decide;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Action;

/**
 * What one limit said to a check, as part of a decision.
 *
 * @param admitted whether the cost fits this limit, whatever the others say
 * @param standing the counter after the decision: charged only if the whole check is allowed
 * @param waitMicros how long an admitted request is paced, or after how long a refused one would fit
 * @param state the counter after the decision
 */
public record Evaluated(Limit limit, boolean admitted, Standing standing, long waitMicros, CounterState state) {
    /** Whether this limit only records. */
    public boolean shadow() {
        return limit.policy().enforcement().isShadow();
    }

    /** Whether this limit stands against the check. */
    public boolean refuses() {
        return !admitted && !shadow();
    }

    boolean rejects() {
        return refuses() && limit.policy().enforcement().action() == Action.REJECT;
    }

    /** Whether the share of the limit from which on the policy warns is used. */
    public boolean warns() {
        int percent = limit.policy().enforcement().softLimitPercent();
        long used = standing.limit() - standing.remaining();
        return percent > 0 && used * 100 >= standing.limit() * percent;
    }

    /** How many more requests like this one fit: what makes limits of different sizes and costs comparable. */
    long requestsLeft() {
        return standing.remaining() / Math.max(limit.cost(), limit.unitCost());
    }
}
