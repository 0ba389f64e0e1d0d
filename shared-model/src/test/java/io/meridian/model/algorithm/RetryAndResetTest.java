package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.testkit.Histories;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryAndResetTest {
    @ParameterizedTest
    @EnumSource
    void what_is_refused_fits_after_the_wait_it_was_told_and_not_a_microsecond_before(Algorithm algorithm) {
        everyWaitIsRight(Histories.TODAY, algorithm, Counters.of(algorithm));
    }

    @ParameterizedTest
    @EnumSource
    void a_wait_too_short_or_too_long_by_a_microsecond_is_caught(Algorithm algorithm) {
        assertThatThrownBy(() ->
                        everyWaitIsRight(Histories.KNOWN, algorithm, Broken.retriesOffBy(-1, Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("too short");
        assertThatThrownBy(() ->
                        everyWaitIsRight(Histories.KNOWN, algorithm, Broken.retriesOffBy(1, Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("too long");
    }

    @ParameterizedTest
    @EnumSource
    void everything_is_there_again_at_the_reset_and_not_a_microsecond_before(Algorithm algorithm) {
        Counter counter = Counters.of(algorithm);
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, algorithm);
            CounterState state = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                Outcome outcome = counter.decide(state, history.quota(), step.cost(), step.nowMicros());
                state = outcome.next();
                resetIsRight(algorithm, history.quota(), outcome, step);
            }
        });
    }

    private static void everyWaitIsRight(Histories histories, Algorithm algorithm, Counter counter) {
        histories.forEach(random -> Waits.areRight(counter, History.draw(random, algorithm)));
    }

    private static void resetIsRight(Algorithm algorithm, Quota quota, Outcome outcome, Step step) {
        long resetMicros = outcome.standing().resetAtMicros();
        Claim.that(resetMicros >= step.nowMicros(), () -> "reset in the past: " + outcome);
        Claim.that(
                algorithm.decide(outcome.next(), quota, quota.capacity(), resetMicros) instanceof Admitted,
                () -> "not everything is there at the reset: " + step + outcome);
        if (algorithm == Algorithm.FIXED_WINDOW) {
            long windowMicros = Draw.lengthMicros(quota.window());
            long number = Math.floorDiv(step.nowMicros(), windowMicros);
            Claim.that(resetMicros == (number + 1) * windowMicros, () -> "not the end of the window: " + outcome);
        } else if (resetMicros > step.nowMicros()) {
            Claim.that(
                    algorithm.decide(outcome.next(), quota, quota.capacity(), resetMicros - 1) instanceof Refused,
                    () -> "everything is there before the reset: " + step + outcome);
        }
    }
}
