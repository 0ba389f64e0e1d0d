package io.meridian.model.counter;

import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.algorithm.Outcome.TakenAhead;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of requests applied to the region's own counters: the specification of the region's script, as a pure function. A counter changes
 * only if something is taken from it or given back; a refused group leaves every counter as it was.
 *
 * @param replies in the order of the requests
 * @param states the counters afterwards, in the same order
 */
public record RegionalCounter(List<CounterReply> replies, List<CounterState> states) {
    /** Every limit of a group is of another policy, so that no two requests meet the same counter. */
    public static RegionalCounter of(List<CounterRequest> group, List<CounterState> states, long nowMicros) {
        boolean refused = false;
        for (int i = 0; i < group.size(); i++) {
            refused |= group.get(i) instanceof CounterRequest.Take take
                    && !shadow(take.limit())
                    && outcome(take.limit(), states.get(i), take.cost(), nowMicros) instanceof Refused;
        }
        List<CounterReply> replies = new ArrayList<>(group.size());
        List<CounterState> next = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
            Answer answer = answer(group.get(i), states.get(i), refused, nowMicros);
            replies.add(answer.reply);
            next.add(answer.next);
        }
        return new RegionalCounter(replies, next);
    }

    private record Answer(CounterReply reply, CounterState next) {}

    private static Answer answer(CounterRequest request, CounterState state, boolean refused, long nowMicros) {
        Limit limit = request.limit();
        if (request instanceof CounterRequest.Take take) {
            return refused || take.cost() == 0
                    ? peek(limit, state, take.cost(), nowMicros)
                    : take(take, state, nowMicros);
        }
        if (request instanceof CounterRequest.Peek peek) {
            return peek(limit, state, peek.cost(), nowMicros);
        }
        if (request instanceof CounterRequest.Refund refund) {
            return changed(limit, refunded(refund, state, nowMicros), nowMicros);
        }
        if (request instanceof CounterRequest.Charge charge) {
            long fits =
                    Math.min(charge.cost(), standing(limit, state, nowMicros).remaining());
            return fits == 0
                    ? changed(limit, state, nowMicros)
                    : changed(limit, outcome(limit, state, fits, nowMicros).next(), nowMicros);
        }
        return changed(limit, CounterState.UNTOUCHED, nowMicros);
    }

    private static CounterState refunded(CounterRequest.Refund refund, CounterState state, long nowMicros) {
        Limit limit = refund.limit();
        return state == CounterState.UNTOUCHED
                ? state
                : algorithm(limit).refund(state, limit.quota(), refund.cost(), refund.takenMicros(), nowMicros);
    }

    private static Answer take(CounterRequest.Take take, CounterState state, long nowMicros) {
        Limit limit = take.limit();
        if (!(outcome(limit, state, take.cost(), nowMicros) instanceof Admitted admitted)) {
            return peek(limit, state, take.cost(), nowMicros);
        }
        TakenAhead ahead = algorithm(limit)
                .takeAhead(admitted.next(), limit.quota(), take.ahead(), take.horizonMicros(), nowMicros);
        Standing standing = standing(limit, ahead.next(), nowMicros);
        return new Answer(
                new CounterReply(true, standing, admitted.delayMicros(), ahead.units(), ahead.untilMicros()),
                ahead.next());
    }

    private static Answer peek(Limit limit, CounterState state, long cost, long nowMicros) {
        Outcome outcome = outcome(limit, state, cost, nowMicros);
        boolean admitted = outcome instanceof Admitted;
        long waitMicros =
                outcome instanceof Admitted paced ? paced.delayMicros() : ((Refused) outcome).retryAfterMicros();
        return new Answer(new CounterReply(admitted, standing(limit, state, nowMicros), waitMicros, 0, 0), state);
    }

    private static Answer changed(Limit limit, CounterState next, long nowMicros) {
        return new Answer(new CounterReply(true, standing(limit, next, nowMicros), 0, 0, 0), next);
    }

    private static Standing standing(Limit limit, CounterState state, long nowMicros) {
        return outcome(limit, state, 0, nowMicros).standing();
    }

    private static Outcome outcome(Limit limit, CounterState state, long cost, long nowMicros) {
        return algorithm(limit).decide(state, limit.quota(), cost, nowMicros);
    }

    private static Algorithm algorithm(Limit limit) {
        return limit.policy().limitSpec().algorithm();
    }

    private static boolean shadow(Limit limit) {
        return limit.policy().enforcement().isShadow();
    }
}
