package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.StackState.PartState;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.process.StartFailure;
import io.meridian.stack.servers.ProbeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackStateTest {
    private final StateFolder folder;

    StackStateTest(@TempDir Path root) {
        this.folder = new StateFolder(root);
    }

    @Test
    void what_is_written_is_read() throws Exception {
        ProcessIdentity process = new ProcessIdentity(7, 8);
        StackState state = new StackState(
                process, true, "faults", List.of(new PartState("a", "b", process, ProbeKind.REDIS, "1", true)));
        StackState.write(folder, state);

        assertThat(StackState.read(folder)).contains(state);
    }

    @Test
    void what_a_later_build_adds_is_passed_over() throws Exception {
        Files.writeString(folder.stateFile(), """
                {"supervisor": {"pid": 7, "startedAtMillis": 8, "user": "me"}, "ready": true, "faultsAddress": "f",
                 "parts": [], "colour": "red"}
                """);

        assertThat(StackState.read(folder)).contains(new StackState(new ProcessIdentity(7, 8), true, "f", List.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "[]",
                "{\"supervisor\": null, \"ready\": true, \"faultsAddress\": \"f\", \"parts\": []}",
                "{\"supervisor\": {\"pid\": 7}, \"ready\": true, \"faultsAddress\": \"f\", \"parts\": []}",
            })
    void what_cannot_be_understood_is_one_line_that_names_the_file_and_counts_as_a_crash(String content)
            throws Exception {
        Files.writeString(folder.stateFile(), content);

        assertThatThrownBy(() -> StackState.read(folder))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(folder.stateFile().toString())
                .hasMessageNotContaining("\n");
        assertThat(Shutdown.of(folder)).isEqualTo(Shutdown.Outcome.CLEARED_AFTER_A_CRASH);
        assertThat(folder.stateFile()).doesNotExist();
    }
}
