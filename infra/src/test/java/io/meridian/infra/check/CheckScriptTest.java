package io.meridian.infra.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** That what a script says becomes what the build says. */
class CheckScriptTest {
    private final Path folder;

    CheckScriptTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void a_script_that_ends_well_passes() throws IOException {
        write("echo all is well");

        assertThatCode(this::run).doesNotThrowAnyException();
    }

    @Test
    void a_script_that_ends_badly_fails_with_what_it_said() throws IOException {
        write("echo the alert has no metric >&2; exit 3");

        assertThatThrownBy(this::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the alert has no metric");
    }

    @Test
    void a_script_without_its_tool_is_skipped_with_its_reason() throws IOException {
        write("echo SKIPPED: this test has no such tool");

        assertThatThrownBy(this::run)
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("SKIPPED: this test has no such tool");
    }

    @Test
    void a_script_that_is_not_there_fails() {
        assertThatThrownBy(this::run).isInstanceOf(AssertionError.class);
    }

    private void run() throws Exception {
        new CheckScript(folder).passes();
    }

    private void write(String script) throws IOException {
        Files.writeString(folder.resolve("check"), script + "\n");
    }
}
