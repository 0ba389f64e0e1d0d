package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests of one client over time, under a constant quota. */
record History(Quota quota, List<Step> steps) {
    record Step(long cost, long nowMicros) {}

    /** A random history of 20 to 80 steps in which time never goes back. */
    static History draw(SplittableRandom random, Quota quota) {
        long windowMicros = Draw.lengthMicros(quota.window());
        long nowMicros = Draw.startMicros(random, windowMicros);
        int length = random.nextInt(20, 81);
        List<Step> steps = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            nowMicros = Draw.laterMicros(random, nowMicros, windowMicros);
            steps.add(new Step(Draw.cost(random, quota.capacity()), nowMicros));
        }
        return new History(quota, steps);
    }

    static History draw(SplittableRandom random, Algorithm algorithm) {
        return draw(random, Draw.quota(random, algorithm));
    }

    /** What {@code counter} admits of it. */
    List<Taken> replay(Counter counter) {
        List<Taken> taken = new ArrayList<>();
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : steps) {
            Outcome outcome = counter.decide(state, quota, step.cost, step.nowMicros);
            if (outcome instanceof Outcome.Admitted && step.cost > 0) {
                taken.add(new Taken(step.nowMicros, step.cost));
            }
            state = outcome.next();
        }
        return taken;
    }
}
