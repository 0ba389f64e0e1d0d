package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.meridian.drill.cli.GlobalLimitsBench.ControlFigures;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ControlFiguresTest {
    /** The control phase of the sample has three windows, and its converging limit admits 8 above 300 in each. */
    @Test
    void overshoot_and_flag_delay_are_those_of_the_windows_before_the_fault() {
        ControlFigures figures = ControlFigures.of(new SampleDrill().history(), SampleDrill.CONVERGE);

        assertThat(figures.admitted()).containsExactly(308L, 308L, 308L);
        assertThat(figures.overshootPercent()).isCloseTo(100.0 * 8 / 300, within(0.001));
        assertThat(figures.flagDelaysNanos()).hasSize(3 * SampleDrill.REGIONS.size());
        // Five regions ask every 50 ms: eight checks above the limit are sent within the two rounds after the crossing.
        assertThat(figures.flagDelayMillis(1)).isBetween(40L, 100L);
    }

    @Test
    void a_limit_that_is_not_exceeded_has_no_flag_delay() {
        ControlFigures figures = ControlFigures.of(new SampleDrill().history(), SampleDrill.ESCROW);

        assertThat(figures.overshootPercent()).isZero();
        assertThat(figures.usedPercent()).isEqualTo(100);
        assertThat(figures.flagDelayMillis(1)).isZero();
    }

    @Test
    void a_region_that_admits_too_long_is_seen_in_the_flag_delay() {
        SampleDrill drill = new SampleDrill()
                .checks(
                        check -> check.policy().equals(SampleDrill.CONVERGE.policy())
                                && check.region().equals(SampleDrill.CUT)
                                && SampleDrill.between(check, 5, 10),
                        Changes::allowed);

        ControlFigures figures = ControlFigures.of(drill.history(), SampleDrill.CONVERGE);

        assertThat(figures.flagDelayMillis(1)).isGreaterThan(TimeUnit.SECONDS.toMillis(1));
        assertThat(figures.flagDelayMillis(0.5)).isLessThan(100);
    }

    @Test
    void a_limit_that_was_not_used_up_was_not_crossed() {
        SampleDrill drill =
                new SampleDrill().checks(check -> check.policy().equals(SampleDrill.ESCROW.policy()), Changes::denied);

        ControlFigures figures = ControlFigures.of(drill.history(), SampleDrill.ESCROW);

        assertThat(figures.flagDelaysNanos()).isEmpty();
        assertThat(figures.usedPercent()).isZero();
    }
}
