package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;

/** What a definition says is in use, told of everything the counter under test admits. */
interface Oracle {
    void take(long atMicros, long cost);

    /** What is in use at {@code nowMicros}, in whole units rounded up. */
    Used usedAt(long nowMicros);

    /** The least and the most that may be counted; equal where the definition leaves no choice. */
    record Used(long least, long most) {
        static Used exactly(long units) {
            return new Used(units, units);
        }
    }

    /** Checks that {@code counter} admits and reports at every step what {@code oracle} allows and requires. */
    static void agrees(Counter counter, Oracle oracle, History history) {
        long capacity = history.quota().capacity();
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            Used used = oracle.usedAt(step.nowMicros());
            Outcome outcome = counter.decide(state, history.quota(), step.cost(), step.nowMicros());
            long needed = Math.max(1, step.cost());
            long took = 0;
            if (outcome instanceof Admitted) {
                Claim.that(needed <= capacity - used.least(), () -> "admitted above the limit: " + step + used);
                took = step.cost();
                oracle.take(step.nowMicros(), step.cost());
            } else {
                Claim.that(needed > capacity - used.most(), () -> "refused what fits: " + step + used);
            }
            long most = Math.max(0, capacity - used.least()) - took;
            long least = Math.max(0, capacity - used.most() - took);
            long remaining = outcome.standing().remaining();
            Claim.that(least <= remaining && remaining <= most, () -> "remaining " + remaining + ": " + step + used);
            Claim.that(outcome.standing().limit() == capacity, () -> "limit: " + outcome.standing());
            state = outcome.next();
        }
    }
}
