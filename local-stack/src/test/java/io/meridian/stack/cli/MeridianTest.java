package io.meridian.stack.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MeridianTest {
    private final StringWriter errors = new StringWriter();
    private final Path state;

    MeridianTest(@TempDir Path state) {
        this.state = state;
    }

    @ParameterizedTest
    @CsvSource({
        "--port=postgers=1, There is no port called postgers",
        "--port=sync-1=8080, Port 8080 is wanted by both config-service and sync-1",
        "--limiters-per-region=11, There can be 1 to 10 limiters per region",
        "--ports-from=65530, must be between 1 and 65535",
    })
    void a_wrong_option_is_one_line_and_nothing_starts(String option, String message) {
        assertThat(run("up", option)).isEqualTo(1);

        assertThat(errors.toString()).containsOnlyOnce("\n").contains(message);
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void the_log_of_what_never_ran_is_one_line() {
        assertThat(run("logs", "kafka")).isEqualTo(1);

        assertThat(errors.toString())
                .isEqualToIgnoringNewLines("There is no log called kafka. There are: none, nothing was started yet");
    }

    @Test
    void nothing_that_runs_is_not_ready() {
        assertThat(run("status")).isEqualTo(1);
        assertThat(run("down")).isZero();
    }

    private int run(String... arguments) {
        CommandLine command = Meridian.commandLine().setErr(new PrintWriter(errors, true));
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--state-dir=" + state;
        return command.execute(all);
    }
}
