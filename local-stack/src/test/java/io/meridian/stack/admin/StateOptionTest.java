package io.meridian.stack.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StateOptionTest {
    private static final Path USUAL = StateOption.home().resolve(".meridian");

    @Test
    void the_option_comes_before_the_environment_and_that_before_the_repository() {
        assertThat(folder("/env", "--state-dir=/given")).isEqualTo(Path.of("/given"));
        assertThat(folder("/env")).isEqualTo(Path.of("/env"));
        assertThat(new StateOption().folder(Map.of()).root()).isEqualTo(USUAL);
    }

    @Test
    void an_empty_name_is_none() {
        assertThat(folder("")).isEqualTo(USUAL);
        assertThat(folder("/env", "--state-dir=")).isEqualTo(Path.of("/env"));
    }

    @Test
    void hints_name_a_folder_that_is_not_the_usual_one() {
        assertThat(option().command("down", Map.of())).isEqualTo("./meridian down");
        assertThat(option("--state-dir=/env").command("down", Map.of("MERIDIAN_STATE", "/env")))
                .isEqualTo("./meridian down");
        assertThat(option("--state-dir=/given").command("logs kafka", Map.of()))
                .isEqualTo("./meridian logs kafka --state-dir=/given");
        assertThat(option("--state-dir=/it's given").command("down", Map.of()))
                .isEqualTo("./meridian down --state-dir='/it'\\''s given'");
    }

    private static Path folder(String environment, String... arguments) {
        return option(arguments).folder(Map.of("MERIDIAN_STATE", environment)).root();
    }

    private static StateOption option(String... arguments) {
        StateOption option = new StateOption();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("state", CommandLine.Model.CommandSpec.forAnnotatedObject(option)))
                .parseArgs(arguments);
        return option;
    }
}
