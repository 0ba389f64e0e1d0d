package io.meridian.model.decision;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Limit;
import io.meridian.model.policy.Enforcement.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decision on a check by all its limits together: all or nothing. */
public sealed interface Decision {
    /** Every limit, in the order of evaluation. */
    List<LimitDecision> limits();

    /** The most restrictive limit, or null if no policy applies. */
    @Nullable LimitDecision deciding();

    /** Every limit admits (but for shadows) and was charged; the request may start after {@code delayMicros}. */
    record Allowed(List<LimitDecision> limits, @Nullable LimitDecision deciding, long delayMicros)
            implements Decision {}

    /** A limit refuses and nothing was charged anywhere. It fits after {@code retryAfterMicros}, if ever. */
    record Denied(List<LimitDecision> limits, LimitDecision deciding, long retryAfterMicros) implements Decision {
        /** Whether no waiting will help, because the cost is above a limit. */
        public boolean forGood() {
            return retryAfterMicros == Outcome.NEVER;
        }
    }

    /** Only throttling limits refuse: nothing was charged, and the request is to come again after the delay. */
    record Throttled(List<LimitDecision> limits, LimitDecision deciding, long delayMicros) implements Decision {}

    /**
     * Decision of one limit on a check.
     *
     * @param admitted whether the cost fits this limit, whatever the decision
     * @param standing the counter after the decision: charged only if the whole check is allowed
     * @param waitMicros how long an admitted request is paced, or after how long a refused one would fit
     * @param state the counter after the decision
     */
    record LimitDecision(Limit limit, boolean admitted, Standing standing, long waitMicros, CounterState state) {
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

        /** Number of further requests like this one that fit, by which limits of different sizes and costs compare. */
        long requestsLeft() {
            return standing.remaining() / Math.max(limit.cost(), limit.unitCost());
        }
    }
}
