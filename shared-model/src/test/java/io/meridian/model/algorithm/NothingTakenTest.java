package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.testkit.Histories;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NothingTakenTest {
    @ParameterizedTest
    @EnumSource
    void a_question_and_a_refusal_change_no_later_answer(Algorithm algorithm) {
        whatTakesNothingLeavesNoTrace(Histories.TODAY, algorithm, Counters.of(algorithm));
    }

    @ParameterizedTest
    @EnumSource
    void a_question_or_a_refusal_that_is_charged_is_caught(Algorithm algorithm) {
        assertThatThrownBy(() -> whatTakesNothingLeavesNoTrace(
                        Histories.KNOWN, algorithm, Broken.chargesRefused(Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> whatTakesNothingLeavesNoTrace(
                        Histories.KNOWN, algorithm, Broken.chargesPeeks(Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @EnumSource
    void a_question_is_answered_like_a_cost_of_one(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, algorithm);
            CounterState state = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                Answer zero = Answer.of(algorithm.decide(state, history.quota(), 0, step.nowMicros()));
                Answer one = Answer.of(algorithm.decide(state, history.quota(), 1, step.nowMicros()));
                long taken = one.admitted() ? 1 : 0;
                Claim.that(
                        zero.admitted() == one.admitted()
                                && zero.waitMicros() == one.waitMicros()
                                && zero.standing().remaining() == one.standing().remaining() + taken,
                        () -> "asked " + zero + ", took " + one);
                state = algorithm
                        .decide(state, history.quota(), step.cost(), step.nowMicros())
                        .next();
            }
        });
    }

    private static void whatTakesNothingLeavesNoTrace(Histories histories, Algorithm algorithm, Counter counter) {
        histories.forEach(random -> leavesNoTrace(counter, History.draw(random, algorithm)));
    }

    /** Two counters see the same; one is put back to where it was whenever it admits nothing. */
    static void leavesNoTrace(Counter counter, History history) {
        CounterState asked = CounterState.UNTOUCHED;
        CounterState putBack = CounterState.UNTOUCHED;
        for (Step step : history.steps()) {
            asked = counter.decide(asked, history.quota(), 0, step.nowMicros()).next();
            Outcome one = counter.decide(asked, history.quota(), step.cost(), step.nowMicros());
            Outcome other = counter.decide(putBack, history.quota(), step.cost(), step.nowMicros());
            Claim.that(Answer.of(one).equals(Answer.of(other)), () -> step + ": " + one + " but " + other);
            asked = one.next();
            putBack = other instanceof Refused || step.cost() == 0 ? putBack : other.next();
        }
    }
}
