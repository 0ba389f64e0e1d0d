package io.meridian.drill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.drill.definition.DrillFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void the_list_names_every_drill() {
        assertThat(call("list")).isZero();

        assertThat(out.toString()).contains(DrillFile.BUILT_IN);
    }

    @Test
    void a_drill_that_does_not_exist_is_refused_by_name_before_anything_is_started() {
        assertThat(call("run", "cut-one-region", "cut-no-region")).isEqualTo(DrillMain.EXIT_WRONG);

        assertThat(err.toString()).contains("cut-no-region");
    }

    @Test
    void a_number_of_times_that_makes_no_sense_is_refused_by_value() {
        assertThat(call("run", "cut-one-region", "--times", "0")).isEqualTo(DrillMain.EXIT_WRONG);

        assertThat(err.toString()).contains("--times must be from 1 to 1000, got 0");
    }

    @Test
    void a_stack_of_ones_own_and_a_deployment_do_not_go_together() {
        assertThat(call("run", "all", "--own", "--target", "there.yaml")).isEqualTo(DrillMain.EXIT_WRONG);

        assertThat(err.toString()).contains("--own", "--target");
    }

    @Test
    void a_file_is_told_to_be_a_drill_or_what_is_wrong_with_it(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, "title: mine\nmethod: nothing\n");

        assertThat(call("validate", "kill-redis")).isZero();
        assertThat(call("validate", file.toString())).isEqualTo(DrillMain.EXIT_WRONG);

        assertThat(out.toString()).contains("kill-redis is a valid drill");
        assertThat(err.toString()).contains("method");
    }

    @Test
    void a_drill_is_described_step_by_step() {
        assertThat(call("describe", "cut-one-region")).isZero();

        assertThat(out.toString())
                .contains("One region is cut off", "1. cut ap-south off", "undo all", "Load: windows of", "Deadlines:");
        out.getBuffer().setLength(0);
        assertThat(call("describe", "cut-one-region", "--json")).isZero();
        assertThat(out.toString()).startsWith("{").contains("\"title\":\"One region is cut off\"");
        out.getBuffer().setLength(0);
        assertThat(call("list", "--json")).isZero();
        assertThat(out.toString()).startsWith("[{\"name\":\"cut-one-region\"");
        assertThat(call("describe", "cut-no-region")).isEqualTo(DrillMain.EXIT_WRONG);
    }

    @Test
    void every_built_in_drill_is_for_the_five_regions_of_the_local_stack() {
        for (String each : DrillFile.BUILT_IN) {
            assertThat(call(
                            "validate",
                            each,
                            "--region",
                            "us-east",
                            "--region",
                            "us-west",
                            "--region",
                            "eu-west",
                            "--region",
                            "ap-south",
                            "--region",
                            "ap-northeast"))
                    .as(() -> each + " " + err)
                    .isZero();
        }
    }

    @Test
    void a_region_that_does_not_exist_is_refused_with_the_step_that_names_it(@TempDir Path folder) throws Exception {
        assertThat(call("validate", "cut-one-region", "--region", "eu-west")).isEqualTo(DrillMain.EXIT_WRONG);
        assertThat(err.toString()).contains("cut ap-south off: region must be one of eu-west, got ap-south");
    }

    @Test
    void help_is_no_error() {
        assertThat(call("help")).isZero();
        assertThat(call("--help")).isZero();
        assertThat(call("describe", "--help")).isZero();
    }

    private int call(String... arguments) {
        return DrillMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }
}
