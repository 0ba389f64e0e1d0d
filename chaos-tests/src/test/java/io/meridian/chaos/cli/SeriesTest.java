package io.meridian.chaos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.chaos.drill.file.BuiltInDrills;
import io.meridian.chaos.drill.file.Drill;
import io.meridian.chaos.drill.verdict.Verdict;
import io.meridian.chaos.drill.world.TargetFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private final Series series = new Series();
    private final FakeRunner runner = new FakeRunner();
    private final StringWriter err = new StringWriter();

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

    @Test
    void a_drill_that_breaks_off_is_unknown_and_hides_neither_what_was_before_it_nor_what_comes_after()
            throws Exception {
        runner.outcomes.put("cut-one-region", () -> Verdict.EXIT_VIOLATED);
        runner.outcomes.put("kill-redis", () -> {
            throw new TargetFailure("nobody leads");
        });

        series.run(drills("cut-one-region", "kill-redis", "wipe-redis"), runner, new PrintWriter(err, true));

        assertThat(runner.run).containsExactly("cut-one-region", "kill-redis", "wipe-redis");
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_VIOLATED);
        assertThat(printed()).containsPattern("kill-redis +unknown").contains("1 of 3 runs kept every promise.");
        assertThat(err.toString()).contains("kill-redis broke off: nobody leads");
    }

    @Test
    void none_is_run_if_one_of_them_cannot_be() throws Exception {
        runner.infeasible = "wipe-redis";

        assertThatThrownBy(() -> series.run(drills("cut-one-region", "wipe-redis"), runner, new PrintWriter(err, true)))
                .isInstanceOf(TargetFailure.class);
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
        assertThat(series.exitCode()).isEqualTo(Verdict.EXIT_UNKNOWN);
    }

    private static List<Drill> drills(String... names) throws Exception {
        List<Drill> drills = new ArrayList<>();
        for (String name : names) {
            drills.add(BuiltInDrills.read(name));
        }
        return drills;
    }

    /** All hold, unless told otherwise. */
    private static final class FakeRunner implements Series.Runner {
        final Map<String, Callable<Integer>> outcomes = new HashMap<>();
        final List<String> run = new ArrayList<>();
        String infeasible = "";

        @Override
        public void require(Drill drill) {
            if (drill.name().equals(infeasible)) {
                throw new TargetFailure("there is no way");
            }
        }

        @Override
        public int run(Drill drill) throws Exception {
            run.add(drill.name());
            return outcomes.getOrDefault(drill.name(), () -> Verdict.EXIT_VALID).call();
        }
    }

    private String printed() {
        StringWriter text = new StringWriter();
        series.print(new PrintWriter(text, true));
        return text.toString();
    }
}
