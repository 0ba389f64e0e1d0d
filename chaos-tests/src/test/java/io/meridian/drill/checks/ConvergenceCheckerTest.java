package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.CONVERGE;
import static io.meridian.drill.sample.SampleDrill.CUT;
import static io.meridian.drill.sample.SampleDrill.between;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.LoopSampled;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When regions agree again after a heal. */
class ConvergenceCheckerTest {
    private static final Duration TEN = Duration.ofSeconds(10);

    @Test
    void a_region_that_falls_silent_again_counts_from_when_it_is_heard_for_good() {
        SampleDrill drill = new SampleDrill().with(new LoopSampled(seconds(52.1), CUT, 150, 200, 9_000));

        Finding finding = new ConvergenceChecker(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).startsWith("12.5 s after the heal");
    }

    @Test
    void a_region_that_never_hears_of_the_centre_again_has_not_converged() {
        SampleDrill drill = new SampleDrill()
                .without(event ->
                        event instanceof LoopSampled seen && seen.region().equals(CUT) && seen.atNanos() > seconds(40))
                .with(new LoopSampled(seconds(54), CUT, Double.NaN, Double.NaN, 34_000));

        Finding finding = new ConvergenceChecker(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).contains("[ap-south] never received from the leaders again");
    }

    @Test
    void regions_that_go_on_counting_alone_after_the_heal_have_not_converged() {
        SampleDrill drill = new SampleDrill()
                .checks(check -> check.policy().equals(CONVERGE.policy()) && between(check, 50, 55), Changes::allowed);

        Finding finding = new ConvergenceChecker(TEN).check(drill.history());

        assertThat(finding.state()).isEqualTo(State.VIOLATED);
        assertThat(finding.description()).startsWith("15.0 s after the heal").contains("limit 10 s");
    }

    @Test
    void convergence_without_a_fault_or_a_sample_is_unknown() {
        assertThat(new ConvergenceChecker(TEN)
                        .check(new SampleDrill()
                                .without(LoopSampled.class::isInstance)
                                .history())
                        .state())
                .isEqualTo(State.UNKNOWN);
        assertThat(new ConvergenceChecker(TEN)
                        .check(new SampleDrill()
                                .without(Event.FaultEnded.class::isInstance)
                                .history())
                        .state())
                .isEqualTo(State.UNKNOWN);
    }
}
