package io.meridian.model.algorithm;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;

/** Checks the wait of every refusal by waiting: just so long, and a microsecond less. */
final class Waits {
    /** The longest wait that is told, 2^51 microseconds or 71 years; what is near it is not waited for. */
    private static final long LONGEST_TOLD = 1L << 51;

    private Waits() {}

    static void areRight(Counter counter, History history) {
        CounterState state = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            Outcome outcome = counter.decide(state, history.quota(), step.cost(), step.nowMicros());
            state = outcome.next();
            if (outcome instanceof Refused refused) {
                isRight(counter, history.quota(), refused, step);
            }
        }
    }

    private static void isRight(Counter counter, Quota quota, Refused refused, Step step) {
        long waitMicros = refused.retryAfterMicros();
        if (step.cost() > quota.capacity()) {
            Claim.that(waitMicros == Outcome.NEVER, () -> "no wait is enough for " + step + ": " + refused);
            return;
        }
        Claim.that(waitMicros > 0 && waitMicros != Outcome.NEVER, () -> "too short for " + step + ": " + refused);
        if (waitMicros < LONGEST_TOLD / 2) {
            long thenMicros = step.nowMicros() + waitMicros;
            Claim.that(
                    counter.decide(refused.next(), quota, step.cost(), thenMicros) instanceof Admitted,
                    () -> "too short for " + step + ": " + refused);
            Claim.that(
                    counter.decide(refused.next(), quota, step.cost(), thenMicros - 1) instanceof Refused,
                    () -> "too long for " + step + ": " + refused);
        }
    }
}
