package io.meridian.chaos.drill.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.meridian.chaos.drill.history.History;
import io.meridian.chaos.drill.sample.SampleDrill;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final History HISTORY = new SampleDrill().history();

    @Test
    void one_broken_promise_breaks_the_whole_whatever_is_unknown() {
        Verdict verdict = verdict(State.VALID, State.UNKNOWN, State.VIOLATED);

        assertThat(verdict.overall()).isEqualTo(State.VIOLATED);
        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.sentence()).isEqualTo("A promise was broken: promise 2. Not judged: promise 1.");
    }

    @Test
    void an_unknown_promise_leaves_the_whole_unknown() {
        Verdict verdict = verdict(State.VALID, State.UNKNOWN);

        assertThat(verdict.overall()).isEqualTo(State.UNKNOWN);
        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.sentence()).contains("could not be judged: promise 1");
    }

    @Test
    void a_drill_that_did_not_complete_is_not_valid_whatever_was_seen_of_it() {
        Verdict verdict = verdict(State.VALID).incomplete("interrupted: by its caller");

        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.sentence()).contains("could not be judged: completed");
        assertThat(verdict.findings().get(1).finding().words()).isEqualTo("The drill was interrupted: by its caller.");
    }

    @Test
    void all_held_is_valid_and_nothing_judged_is_not() {
        assertThat(verdict(State.VALID, State.VALID).overall()).isEqualTo(State.VALID);
        assertThat(verdict(State.VALID).exitCode()).isZero();
        assertThat(verdict().overall()).isEqualTo(State.UNKNOWN);
    }

    @Test
    void a_checker_that_crashes_leaves_its_promise_unknown_and_the_others_judged() {
        Checker crashes = checker("crashes", () -> {
            throw new IllegalStateException("no such window");
        });
        Checker endless = checker("endless", () -> {
            throw new StackOverflowError();
        });
        Checker holds = checker("holds", () -> Finding.of(true, "held", Map.of()));

        Verdict verdict = new Checkers(List.of(crashes, endless, holds)).judge(HISTORY);

        assertThat(verdict.findings().stream().map(Judged::state))
                .containsExactly(State.UNKNOWN, State.UNKNOWN, State.VALID);
        assertThat(verdict.findings().get(0).finding().words()).contains("no such window");
        assertThat(verdict.exitCode()).isEqualTo(3);
    }

    @Test
    void a_drill_in_which_all_went_well_is_valid() {
        Verdict verdict = Checkers.of(HISTORY.subjects(), Promises.DEFAULT).judge(HISTORY);

        assertThat(verdict.findings()).allSatisfy(judged -> assertThat(judged.state())
                .as("%s: %s", judged.promise(), judged.finding().words())
                .isEqualTo(State.VALID));
        assertThat(verdict.findings()).hasSize(9);
    }

    @Test
    void an_empty_history_leaves_every_promise_unknown() {
        History empty = new SampleDrill().without(event -> true).history();

        Verdict verdict = Checkers.of(empty.subjects(), Promises.DEFAULT).judge(empty);

        assertThat(verdict.findings())
                .allSatisfy(judged ->
                        assertThat(judged.state()).as(judged.promise()).isEqualTo(State.UNKNOWN));
    }

    @Test
    void times_that_make_no_sense_are_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Promises(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .withMessage("convergeWithin must be above 0 and at most PT1H, got PT0S");
    }

    private static Verdict verdict(State... states) {
        return new Verdict(IntStream.range(0, states.length)
                .mapToObj(i -> new Judged("promise " + i, new Finding(states[i], "as told", Map.of())))
                .toList());
    }

    private interface Judging {
        Finding judge();
    }

    private static Checker checker(String name, Judging judging) {
        return new Checker() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Finding check(History history) {
                return judging.judge();
            }
        };
    }
}
