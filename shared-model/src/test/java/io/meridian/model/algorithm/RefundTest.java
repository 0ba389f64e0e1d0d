package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.model.algorithm.Algorithm.Counter;
import io.meridian.model.algorithm.History.Step;
import io.meridian.testkit.Histories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefundTest {
    private static final Window.Span SECOND = Window.Span.ofSeconds(1);

    @ParameterizedTest
    @EnumSource
    void what_was_admitted_less_what_was_refunded_keeps_the_promise(Algorithm algorithm) {
        everyNetHolds(Histories.TODAY, algorithm, Counters.of(algorithm));
    }

    @Test
    void a_log_that_refunds_the_newest_is_caught() {
        Algorithm log = Algorithm.SLIDING_WINDOW_LOG;
        assertThatThrownBy(() -> everyNetHolds(Histories.KNOWN, log, Broken.refundsTheNewest(Counters.of(log))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in the interval");
    }

    @ParameterizedTest
    @EnumSource(names = "SLIDING_WINDOW_ESTIMATE", mode = EnumSource.Mode.EXCLUDE)
    void a_refund_that_forgets_when_it_was_taken_is_caught(Algorithm algorithm) {
        assertThatThrownBy(() ->
                        everyNetHolds(Histories.KNOWN, algorithm, Broken.forgetsWhenItWasTaken(Counters.of(algorithm))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("above");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"},
            mode = EnumSource.Mode.EXCLUDE)
    void a_refund_at_once_restores_every_later_answer(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, algorithm);
            CounterState without = CounterState.UNTOUCHED;
            CounterState with = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                with = takeAndRefund(algorithm, with, history.quota(), step);
                Outcome one = algorithm.decide(without, history.quota(), step.cost(), step.nowMicros());
                Outcome other = algorithm.decide(with, history.quota(), step.cost(), step.nowMicros());
                Claim.that(Answer.of(one).equals(Answer.of(other)), () -> step + ": " + one + " but " + other);
                without = one.next();
                with = other.next();
            }
        });
    }

    /** It does not know which request is refunded, so it forgets the oldest and may only err to the safe side. */
    @ParameterizedTest
    @EnumSource(names = {"SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void a_refund_at_once_restores_what_a_sliding_window_has_now_and_never_more_later(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, algorithm);
            Quota quota = history.quota();
            CounterState state = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                CounterState refunded = takeAndRefund(algorithm, state, quota, step);
                long laterMicros = Draw.laterMicros(random, step.nowMicros(), Draw.lengthMicros(quota.window()));
                Claim.that(
                        remaining(algorithm, refunded, quota, step.nowMicros())
                                == remaining(algorithm, state, quota, step.nowMicros()),
                        () -> "not restored: " + step);
                Claim.that(
                        remaining(algorithm, refunded, quota, laterMicros)
                                <= remaining(algorithm, state, quota, laterMicros),
                        () -> "quota was made by " + step);
                state = algorithm
                        .decide(state, quota, step.cost(), step.nowMicros())
                        .next();
            }
        });
    }

    @Test
    void what_was_taken_in_an_earlier_fixed_window_gives_nothing_to_this_one() {
        Quota quota = Quota.of(10, 0, SECOND);
        CounterState first = Algorithm.FIXED_WINDOW
                .decide(CounterState.UNTOUCHED, quota, 10, 999_999)
                .next();
        CounterState second =
                Algorithm.FIXED_WINDOW.decide(first, quota, 10, 1_000_000).next();

        CounterState refunded = Algorithm.FIXED_WINDOW.refund(second, quota, 10, 999_999, 1_000_000);

        assertThat(remaining(Algorithm.FIXED_WINDOW, refunded, quota, 1_000_000))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_refund_of_more_than_was_ever_taken_leaves_an_untouched_counter(Algorithm algorithm) {
        Quota quota = Quota.of(10, 0, SECOND);
        CounterState taken =
                algorithm.decide(CounterState.UNTOUCHED, quota, 7, 100).next();

        CounterState refunded = algorithm.refund(taken, quota, Long.MAX_VALUE, 100, 100);

        assertThat(remaining(algorithm, refunded, quota, 100)).isEqualTo(10);
        assertThat(remaining(algorithm, algorithm.refund(CounterState.UNTOUCHED, quota, 5, 0, 0), quota, 0))
                .isEqualTo(10);
    }

    private static void everyNetHolds(Histories histories, Algorithm algorithm, Counter counter) {
        histories.forEach(random -> {
            History history = History.draw(random, algorithm);
            Promise.holds(algorithm, Refunds.net(random, counter, history), history.quota());
        });
    }

    private static CounterState takeAndRefund(Algorithm algorithm, CounterState state, Quota quota, Step step) {
        Outcome outcome = algorithm.decide(state, quota, step.cost(), step.nowMicros());
        return outcome instanceof Outcome.Admitted
                ? algorithm.refund(outcome.next(), quota, step.cost(), step.nowMicros(), step.nowMicros())
                : outcome.next();
    }

    private static long remaining(Algorithm algorithm, CounterState state, Quota quota, long nowMicros) {
        return algorithm.decide(state, quota, 0, nowMicros).standing().remaining();
    }
}
