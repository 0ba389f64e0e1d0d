package io.meridian.chaos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.chaos.drill.verdict.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private final Series series = new Series();

    @Test
    void all_hold_only_if_each_does() {
        series.add("a", Verdict.EXIT_VALID);
        series.add("a", Verdict.EXIT_VALID);
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_VALID);

        series.add("b", Verdict.EXIT_UNKNOWN);
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_UNKNOWN);

        series.add("a", Verdict.EXIT_VIOLATED);
        series.add("b", Verdict.EXIT_VALID);
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_VIOLATED);
    }

    @Test
    void of_no_run_nothing_is_known() {
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_UNKNOWN);
    }

    @Test
    void each_drill_has_a_row_of_how_its_runs_went() {
        series.add("kill-redis", Verdict.EXIT_VALID);
        series.add("kill-redis", Verdict.EXIT_VIOLATED);
        series.add("wipe-redis", Verdict.EXIT_UNKNOWN);

        assertThat(printed())
                .containsPattern("kill-redis +held, BROKEN")
                .containsPattern("wipe-redis +unknown")
                .contains("1 of 3 runs kept every promise.");
    }

    @Test
    void one_run_stands_for_itself() {
        series.add("kill-redis", Verdict.EXIT_VALID);

        assertThat(printed()).isEmpty();
    }

    private String printed() {
        StringWriter text = new StringWriter();
        series.print(new PrintWriter(text, true));
        return text.toString();
    }
}
