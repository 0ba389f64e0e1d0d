package io.meridian.drill.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.meridian.drill.checks.DrillVerdict.Judged;
import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.definition.Drill.Deadlines;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.sample.SampleDrill;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrillVerdictTest {
    private static final DrillHistory HISTORY = new SampleDrill().history();

    @Test
    void one_broken_promise_breaks_the_whole_whatever_is_unknown() {
        DrillVerdict verdict = verdict(State.VALID, State.UNKNOWN, State.VIOLATED);

        assertThat(verdict.overall()).isEqualTo(State.VIOLATED);
        assertThat(verdict.exitCode()).isEqualTo(1);
        assertThat(verdict.sentence()).isEqualTo("A promise was broken: promise 2. Not judged: promise 1.");
    }

    @Test
    void an_unknown_promise_leaves_the_whole_unknown() {
        DrillVerdict verdict = verdict(State.VALID, State.UNKNOWN);

        assertThat(verdict.overall()).isEqualTo(State.UNKNOWN);
        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.sentence()).contains("could not be judged: promise 1");
    }

    @Test
    void a_drill_that_did_not_complete_is_not_valid_whatever_was_seen_of_it() {
        DrillVerdict verdict = verdict(State.VALID).incomplete("interrupted: by its caller");

        assertThat(verdict.exitCode()).isEqualTo(3);
        assertThat(verdict.sentence()).contains("could not be judged: completed");
        assertThat(verdict.findings().get(1).finding().description())
                .isEqualTo("The drill was interrupted: by its caller.");
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

        DrillVerdict verdict = DrillVerdict.of(List.of(crashes, endless, holds), HISTORY);

        assertThat(verdict.findings().stream().map(Judged::state))
                .containsExactly(State.UNKNOWN, State.UNKNOWN, State.VALID);
        assertThat(verdict.findings().get(0).finding().description()).contains("no such window");
        assertThat(verdict.exitCode()).isEqualTo(3);
    }

    @Test
    void a_drill_in_which_all_went_well_is_valid() {
        DrillVerdict verdict = DrillVerdict.of(Checker.all(HISTORY.subjects(), Deadlines.DEFAULT), HISTORY);

        assertThat(verdict.findings()).allSatisfy(judged -> assertThat(judged.state())
                .as("%s: %s", judged.promise(), judged.finding().description())
                .isEqualTo(State.VALID));
        assertThat(verdict.findings()).hasSize(9);
    }

    @Test
    void an_empty_history_leaves_every_promise_unknown() {
        DrillHistory empty = new SampleDrill().without(event -> true).history();

        DrillVerdict verdict = DrillVerdict.of(Checker.all(empty.subjects(), Deadlines.DEFAULT), empty);

        assertThat(verdict.findings())
                .allSatisfy(judged ->
                        assertThat(judged.state()).as(judged.promise()).isEqualTo(State.UNKNOWN));
    }

    @Test
    void times_that_make_no_sense_are_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Deadlines(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .withMessage("convergence must be above 0, at most PT10M, got PT0S");
    }

    private static DrillVerdict verdict(State... states) {
        return new DrillVerdict(IntStream.range(0, states.length)
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
            public Finding check(DrillHistory history) {
                return judging.judge();
            }
        };
    }
}
