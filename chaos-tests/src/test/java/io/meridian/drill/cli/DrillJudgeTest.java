package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.definition.DrillFile;
import io.meridian.drill.history.DrillHistory;
import io.meridian.drill.report.DrillReport;
import io.meridian.drill.runner.DrillResult;
import io.meridian.drill.runner.DrillResult.Status;
import io.meridian.drill.sample.Changes;
import io.meridian.drill.sample.SampleDrill;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of a drill, and what is said of it when it is judged again. */
class DrillJudgeTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Path folder;

    DrillJudgeTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void a_drill_that_did_not_complete_is_saved_as_unknown_with_the_reason() throws Exception {
        assertThat(save("it", new SampleDrill().history(), Status.FAILED, "a policy could not be removed"))
                .isEqualTo(3);

        assertThat(DrillReport.read(folder.resolve("it")).verdict().exitCode()).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("it").resolve(DrillReport.PAGE)))
                .contains("Not proven", "The drill was failed: a policy could not be removed.");
    }

    @Test
    void saved_drills_are_judged_again_a_line_each() throws Exception {
        save("good", new SampleDrill().history(), Status.COMPLETED, "");
        save("cut-short", new SampleDrill().history(), Status.INTERRUPTED, "interrupted");
        DrillHistory broken = new SampleDrill()
                .checks(check -> check.atNanos() > SampleDrill.seconds(50), Changes::failed)
                .history();
        save("bad", broken, Status.COMPLETED, "");

        assertThat(judge("good")).isZero();
        assertThat(judge("good", "cut-short")).isEqualTo(3);
        assertThat(judge("good", "bad", "cut-short")).isEqualTo(1);

        assertThat(out.toString())
                .contains("good  valid\n", "cut-short  unknown  completed: The drill was interrupted.\n")
                .containsPattern("bad  violated .*no failed check: ");
    }

    @Test
    void a_folder_without_results_is_refused_by_name() throws Exception {
        Files.createDirectories(folder.resolve("running"));

        assertThat(judge("running")).isEqualTo(DrillMain.EXIT_WRONG);

        assertThat(err.toString()).contains("running has no results.json");
    }

    @Test
    void a_history_of_an_older_version_is_refused_in_one_line_by_judge_and_by_report() throws Exception {
        save("old", new SampleDrill().history(), Status.COMPLETED, "");
        Path file = folder.resolve("old").resolve(DrillReport.HISTORY);
        Files.writeString(file, Files.readString(file).replaceFirst("\"version\":3", "\"version\":2"));

        for (String command : List.of("judge", "report")) {
            err.getBuffer().setLength(0);

            assertThat(call(command, "old")).as(command).isEqualTo(DrillMain.EXIT_WRONG);

            assertThat(err.toString().lines())
                    .as(command)
                    .singleElement()
                    .asString()
                    .contains(file + " has version 2", "this build reads version 3", "Run the drill again");
        }
    }

    private int save(String name, DrillHistory history, Status status, String reason) throws Exception {
        DrillResult result = new DrillResult(
                DrillFile.builtIn("cut-one-region"),
                history,
                status,
                reason,
                SampleDrill.STARTED.plusSeconds(60),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        return DrillJudge.write(result, folder.resolve(name), new PrintWriter(out, true));
    }

    private int judge(String... names) {
        return call("judge", names);
    }

    private int call(String command, String... names) {
        List<String> arguments = new java.util.ArrayList<>(List.of(command));
        for (String name : names) {
            arguments.add(folder.resolve(name).toString());
        }
        return DrillMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
