package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.drill.checks.DrillVerdict;
import io.meridian.drill.definition.Drill;
import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.targets.DrillTarget.TargetException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class DrillSeriesTest {
    private final DrillSeries series = new DrillSeries();
    private final FakeRunner runner = new FakeRunner();
    private final StringWriter err = new StringWriter();

    @Test
    void all_hold_only_if_each_does() {
        series.add("a", DrillVerdict.EXIT_VALID);
        series.add("a", DrillVerdict.EXIT_VALID);
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_VALID);

        series.add("b", DrillVerdict.EXIT_UNKNOWN);
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_UNKNOWN);

        series.add("a", DrillVerdict.EXIT_VIOLATED);
        series.add("b", DrillVerdict.EXIT_VALID);
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_VIOLATED);
    }

    @Test
    void of_no_run_nothing_is_known() {
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_UNKNOWN);
    }

    @Test
    void each_drill_has_a_row_of_how_its_runs_went() {
        series.add("kill-redis", DrillVerdict.EXIT_VALID);
        series.add("kill-redis", DrillVerdict.EXIT_VIOLATED);
        series.add("wipe-redis", DrillVerdict.EXIT_UNKNOWN);

        assertThat(printed())
                .containsPattern("kill-redis +held, BROKEN")
                .containsPattern("wipe-redis +unknown")
                .contains("1 of 3 runs kept every promise.");
    }

    @Test
    void one_run_stands_for_itself() {
        series.add("kill-redis", DrillVerdict.EXIT_VALID);

        assertThat(printed()).isEmpty();
    }

    @Test
    void a_drill_that_breaks_off_is_unknown_and_hides_neither_what_was_before_it_nor_what_comes_after()
            throws Exception {
        runner.outcomes.put("cut-one-region", () -> DrillVerdict.EXIT_VIOLATED);
        runner.outcomes.put("kill-redis", () -> {
            throw new TargetException("nobody leads");
        });

        series.run(drills("cut-one-region", "kill-redis", "wipe-redis"), runner, new PrintWriter(err, true));

        assertThat(runner.run).containsExactly("cut-one-region", "kill-redis", "wipe-redis");
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_VIOLATED);
        assertThat(printed()).containsPattern("kill-redis +unknown").contains("1 of 3 runs kept every promise.");
        assertThat(err.toString()).contains("kill-redis failed: nobody leads");
    }

    @Test
    void none_is_run_if_one_of_them_cannot_be() throws Exception {
        runner.infeasible = "wipe-redis";

        assertThatThrownBy(() -> series.run(drills("cut-one-region", "wipe-redis"), runner, new PrintWriter(err, true)))
                .isInstanceOf(TargetException.class);
        assertThat(runner.run).isEmpty();
    }

    @Test
    void an_interruption_ends_the_series() throws Exception {
        runner.outcomes.put("cut-one-region", () -> {
            throw new InterruptedException();
        });

        series.run(drills("cut-one-region", "wipe-redis"), runner, new PrintWriter(err, true));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(runner.run).containsExactly("cut-one-region");
        assertThat(series.exitCode()).isEqualTo(DrillVerdict.EXIT_UNKNOWN);
    }

    private static List<Drill> drills(String... names) throws Exception {
        List<Drill> drills = new ArrayList<>();
        for (String name : names) {
            drills.add(DrillFile.builtIn(name));
        }
        return drills;
    }

    /** All hold, unless told otherwise. */
    private static final class FakeRunner implements DrillSeries.Runner {
        final Map<String, Callable<Integer>> outcomes = new HashMap<>();
        final List<String> run = new ArrayList<>();
        String infeasible = "";

        @Override
        public void require(Drill drill) {
            if (drill.name().equals(infeasible)) {
                throw new TargetException("there is no way");
            }
        }

        @Override
        public int run(Drill drill) throws Exception {
            run.add(drill.name());
            return outcomes.getOrDefault(drill.name(), () -> DrillVerdict.EXIT_VALID)
                    .call();
        }
    }

    private String printed() {
        StringWriter text = new StringWriter();
        series.print(new PrintWriter(text, true));
        return text.toString();
    }
}
