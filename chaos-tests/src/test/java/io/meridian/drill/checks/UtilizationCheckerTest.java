package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.ESCROW;
import static io.meridian.drill.sample.SampleDrill.between;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.history.Event.Phase;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** Whether limits were used up while all was well. */
class UtilizationCheckerTest {
    @Test
    void a_limit_that_denies_everything_is_not_called_valid() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 12), Changes::denied);

        Finding finding = new UtilizationChecker().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("drill-escrow admitted at least 33.3 % of what its limit allows");
    }

    @Test
    void a_control_phase_told_of_a_moment_after_its_window_began_has_that_window() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Event.PhaseBegan began && began.phase() == Phase.CONTROL)
                .with(new Event.PhaseBegan(seconds(15.002), Phase.CONTROL));

        assertThat(new UtilizationChecker().check(drill.history()).figures()).containsEntry("windows", 7);
    }

    @Test
    void a_limit_that_nobody_asked_for_says_nothing() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Checked check && check.atNanos() % 2 == 0 && between(check, 5, 20));

        assertThat(new UtilizationChecker().check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }
}
