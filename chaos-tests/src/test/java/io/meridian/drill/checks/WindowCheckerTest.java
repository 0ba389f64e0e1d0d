package io.meridian.drill.checks;

import static io.meridian.drill.sample.SampleDrill.ESCROW;
import static io.meridian.drill.sample.SampleDrill.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.checks.Finding.State;
import io.meridian.drill.history.Event;
import io.meridian.drill.history.Event.Checked;
import io.meridian.drill.sample.SampleDrill;
import org.junit.jupiter.api.Test;

/** In which windows an admission may have been charged. */
class WindowCheckerTest {
    @Test
    void an_admission_in_a_window_that_is_over_or_not_yet_open_is_found() {
        assertThat(new WindowChecker().check(new SampleDrill().history()).state())
                .isEqualTo(State.VALID);
        for (int away : new int[] {-2, 2}) {
            SampleDrill drill = new SampleDrill().with(charged(seconds(12), away, false));

            Finding finding = new WindowChecker().check(drill.history());

            assertThat(finding.state()).isEqualTo(State.VIOLATED);
            assertThat(finding.description()).startsWith("1 of ").contains("drill-escrow in us-east at 12.0 s");
        }
    }

    @Test
    void clocks_a_little_beside_each_other_and_answers_without_redis_name_other_windows() {
        SampleDrill drill = new SampleDrill()
                .with(charged(seconds(10.9), -1, false))
                .with(charged(seconds(14.1), 1, false))
                .with(charged(seconds(12), 2, true));

        assertThat(new WindowChecker().check(drill.history()).state()).isEqualTo(State.VALID);
    }

    /** An admission charged so many windows after the one that is open. */
    private static Checked charged(long atNanos, int windows, boolean degraded) {
        return new Checked(
                atNanos,
                0,
                atNanos + 1,
                "us-east",
                ESCROW.policy(),
                Event.Outcome.ALLOWED,
                SampleDrill.windowEnd(atNanos + windows * SampleDrill.WINDOW.toNanos()),
                degraded,
                false,
                "");
    }
}
