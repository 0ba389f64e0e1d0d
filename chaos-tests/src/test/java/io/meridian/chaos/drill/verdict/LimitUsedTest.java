package io.meridian.chaos.drill.verdict;

import static io.meridian.chaos.drill.sample.SampleDrill.ESCROW;
import static io.meridian.chaos.drill.sample.SampleDrill.between;
import static io.meridian.chaos.drill.sample.SampleDrill.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.history.Event;
import io.meridian.chaos.drill.history.Event.Checked;
import io.meridian.chaos.drill.history.Phase;
import io.meridian.chaos.drill.sample.Changes;
import io.meridian.chaos.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** Whether limits were used up while all was well. */
class LimitUsedTest {
    @Test
    void a_limit_that_denies_everything_is_not_called_valid() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.policy().equals(ESCROW.policy()) && between(check, 10, 12), Changes::denied);

        Finding finding = new LimitUsed().check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.words()).contains("drill-escrow admitted 33.3 % of what its limit allows at the least");
    }

    @Test
    void a_control_phase_told_of_a_moment_after_its_window_began_has_that_window() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Event.PhaseBegan began && began.phase() == Phase.CONTROL)
                .with(new Event.PhaseBegan(seconds(15.002), Phase.CONTROL));

        assertThat(new LimitUsed().check(drill.history()).figures()).containsEntry("windows", 7);
    }

    @Test
    void a_limit_that_nobody_asked_for_says_nothing() {
        SampleDrill drill = new SampleDrill()
                .without(event -> event instanceof Checked check && check.atNanos() % 2 == 0 && between(check, 5, 20));

        assertThat(new LimitUsed().check(drill.history()).state()).isEqualTo(State.UNKNOWN);
    }
}
