package io.meridian.model.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.model.algorithm.History.Step;
import io.meridian.model.algorithm.Outcome.Admitted;
import io.meridian.model.algorithm.Outcome.Refused;
import io.meridian.testkit.Histories;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClockStepsBackTest {
    private static final long WINDOW = 1_000_000;
    private static final long NOW = 20 * WINDOW + WINDOW / 2;
    private static final long[] STEPS = {1, WINDOW, 10 * WINDOW};

    @ParameterizedTest
    @EnumSource
    void nothing_more_is_admitted_after_a_step_back(Algorithm algorithm) {
        for (long stepMicros : STEPS) {
            Client client = Client.of(algorithm, 10, Window.Span.ofSeconds(1));
            assertThat(client.takesOf(20, NOW)).isEqualTo(10);
            assertThat(client.takesOf(20, NOW - stepMicros))
                    .as("back by " + stepMicros)
                    .isZero();
            assertThat(client.takesOf(20, NOW)).as("forth by " + stepMicros).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_taken_after_a_step_back_counts_from_the_latest_time_that_was_seen(Algorithm algorithm) {
        for (long stepMicros : STEPS) {
            Client client = Client.of(algorithm, 10, Window.Span.ofSeconds(1));
            client.takesOf(10, NOW - 2 * WINDOW);
            client.ask(0, NOW);
            long afterStep = client.takesOf(20, NOW - stepMicros);
            long after = client.takesOf(20, NOW + 1);
            assertThat(afterStep + after).as("back by " + stepMicros).isLessThanOrEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SLIDING_WINDOW_ESTIMATE", mode = EnumSource.Mode.EXCLUDE)
    void a_clock_that_steps_back_is_answered_as_if_it_stood_still(Algorithm algorithm) {
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, algorithm);
            Quota quota = history.quota();
            CounterState stepping = CounterState.UNTOUCHED;
            CounterState standing = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                long stepMicros = back(random, quota, step.nowMicros());
                Outcome stood = algorithm.decide(standing, quota, step.cost(), step.nowMicros());
                standing = stood.next();
                stepping =
                        algorithm.decide(stepping, quota, 0, step.nowMicros()).next();
                Outcome stepped = algorithm.decide(stepping, quota, step.cost(), stepMicros);
                stepping = stepped.next();
                sameAnswer(stood, stepped, step.nowMicros() - stepMicros);
            }
        });
    }

    /** It remembers the window and not the time in it, so it may be stricter than a clock that stands. */
    @Test
    void an_estimate_never_admits_more_for_a_step_back() {
        Algorithm estimate = Algorithm.SLIDING_WINDOW_ESTIMATE;
        Histories.TODAY.forEach(random -> {
            History history = History.draw(random, estimate);
            Quota quota = history.quota();
            CounterState state = CounterState.UNTOUCHED;
            for (Step step : history.steps()) {
                state = estimate.decide(state, quota, step.cost(), step.nowMicros())
                        .next();
                long stepMicros = back(random, quota, step.nowMicros());
                long stood = estimate.decide(state, quota, 0, step.nowMicros())
                        .standing()
                        .remaining();
                long stepped =
                        estimate.decide(state, quota, 0, stepMicros).standing().remaining();
                Claim.that(stepped <= stood, () -> stepped + " for a step back from " + stood + " at " + step);
            }
        });
    }

    /** Waits are told from the clock as it reads, so they are longer by the step. */
    private static void sameAnswer(Outcome stood, Outcome stepped, long stepMicros) {
        boolean admitted = stood instanceof Admitted;
        Claim.that(
                admitted == stepped instanceof Admitted
                        && stood.standing().remaining() == stepped.standing().remaining(),
                () -> "standing " + stood + " but back by " + stepMicros + " " + stepped);
        if (stood instanceof Refused one
                && stepped instanceof Refused other
                && one.retryAfterMicros() != Outcome.NEVER) {
            Claim.that(
                    one.retryAfterMicros() + stepMicros == other.retryAfterMicros(),
                    () -> "standing " + one + " but back by " + stepMicros + " " + other);
        }
    }

    private static long back(SplittableRandom random, Quota quota, long nowMicros) {
        long windowMicros = Draw.lengthMicros(quota.window());
        return switch (random.nextInt(4)) {
            case 0 -> nowMicros;
            case 1 -> nowMicros - 1;
            case 2 -> nowMicros - random.nextLong(windowMicros + 1);
            default -> nowMicros - random.nextLong(10 * windowMicros + 1);
        };
    }
}
