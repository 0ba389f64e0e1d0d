package io.meridian.model.decision;

import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a check against all its limits at once. All must admit, else nothing is charged anywhere; a limit in the
 * shadow records and never stands in the way.
 */
public final class MultiLimit {
    private MultiLimit() {}

    /** The decision on a check whose limits have these counters, given in the order of evaluation. */
    public static Decision decide(List<LimitState> charges, long nowMicros) {
        List<LimitDecision> charged = new ArrayList<>(charges.size());
        boolean refused = false;
        for (LimitState charge : charges) {
            LimitDecision evaluated = charged(charge, nowMicros);
            charged.add(evaluated);
            refused |= evaluated.refuses();
        }
        return compose(refused ? uncharged(charges, charged, nowMicros) : charged);
    }

    /** The decision that follows from those of all limits. */
    public static Decision compose(List<LimitDecision> evaluated) {
        LimitDecision refusing = null;
        boolean rejected = false;
        long delayMicros = 0;
        for (LimitDecision each : evaluated) {
            if (each.refuses()) {
                rejected |= each.rejects();
                refusing = refusing == null || each.waitMicros() > refusing.waitMicros() ? each : refusing;
            } else if (each.admitted()) {
                delayMicros = Math.max(delayMicros, each.waitMicros());
            }
        }
        List<LimitDecision> all = List.copyOf(evaluated);
        if (refusing == null) {
            return new Decision.Allowed(all, tightest(all), delayMicros);
        }
        // A cost above the limit fits at no time: there is no delay to answer with.
        return rejected || refusing.waitMicros() == Outcome.NEVER
                ? new Decision.Denied(all, refusing, refusing.waitMicros())
                : new Decision.Throttled(all, refusing, refusing.waitMicros());
    }

    private static LimitDecision charged(LimitState charge, long nowMicros) {
        Limit limit = charge.limit();
        Outcome outcome = decide(charge, Math.max(limit.cost(), limit.unitCost()), nowMicros);
        long waitMicros =
                outcome instanceof Admitted admitted ? admitted.delayMicros() : ((Refused) outcome).retryAfterMicros();
        // Cost 0 evaluates what a request would get, and takes nothing.
        Outcome taken = limit.cost() > 0 ? outcome : decide(charge, 0, nowMicros);
        return new LimitDecision(limit, outcome instanceof Admitted, taken.standing(), waitMicros, taken.next());
    }

    /** The same limits when the check as a whole is refused: no counter is charged, and each is reported so. */
    private static List<LimitDecision> uncharged(
            List<LimitState> charges, List<LimitDecision> charged, long nowMicros) {
        List<LimitDecision> uncharged = new ArrayList<>(charged.size());
        for (int i = 0; i < charged.size(); i++) {
            LimitDecision evaluated = charged.get(i);
            if (evaluated.admitted()) {
                Outcome peeked = decide(charges.get(i), 0, nowMicros);
                uncharged.add(new LimitDecision(evaluated.limit(), true, peeked.standing(), 0, peeked.next()));
            } else {
                uncharged.add(evaluated);
            }
        }
        return uncharged;
    }

    /** The limit that fewest further requests fit into; limits in the shadow only count among themselves. */
    private static @Nullable LimitDecision tightest(List<LimitDecision> evaluated) {
        LimitDecision tightest = null;
        for (LimitDecision each : evaluated) {
            boolean tighter = tightest == null
                    || (each.shadow() == tightest.shadow() && each.requestsLeft() < tightest.requestsLeft())
                    || (tightest.shadow() && !each.shadow());
            tightest = tighter ? each : tightest;
        }
        return tightest;
    }

    private static Outcome decide(LimitState charge, long cost, long nowMicros) {
        Limit limit = charge.limit();
        return limit.policy().limitSpec().algorithm().decide(charge.state(), limit.quota(), cost, nowMicros);
    }

    /** A limit of a check, and the state of its counter. */
    public record LimitState(Limit limit, CounterState state) {}
}
