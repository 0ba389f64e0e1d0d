package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A client that takes and, soon or late, in part or whole, gives back what it took and never more. */
final class Refunds {
    private Refunds() {}

    /** What {@code counter} admits of {@code history} less what was refunded of each, in order of time. */
    static List<Taken> net(SplittableRandom random, Counter counter, History history) {
        Quota quota = history.quota();
        List<Taken> net = new ArrayList<>();
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            if (!net.isEmpty() && random.nextInt(3) == 0) {
                int which = random.nextBoolean() ? net.size() - 1 : random.nextInt(net.size());
                Taken taken = net.get(which);
                long cost = random.nextBoolean() ? taken.cost() : random.nextLong(taken.cost() + 1);
                state = counter.refund(state, quota, cost, taken.atMicros(), step.nowMicros());
                net.set(which, new Taken(taken.atMicros(), taken.cost() - cost));
            }
            Outcome outcome = counter.decide(state, quota, step.cost(), step.nowMicros());
            long remaining = outcome.standing().remaining();
            Claim.that(remaining <= quota.capacity(), () -> remaining + " is above the capacity of " + quota);
            if (outcome instanceof Admitted && step.cost() > 0) {
                net.add(new Taken(step.nowMicros(), step.cost()));
            }
            state = outcome.next();
        }
        return net;
    }
}
