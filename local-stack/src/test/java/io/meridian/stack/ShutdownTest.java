package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.StateFolder.RunLock;
import io.meridian.stack.process.ProcessIdentity;
import io.meridian.stack.process.StartFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShutdownTest {
    private static final ProcessIdentity LONG_GONE =
            new ProcessIdentity(ProcessHandle.current().pid(), 1);

    private final StateFolder folder;

    ShutdownTest(@TempDir Path root) {
        this.folder = new StateFolder(root);
    }

    @Test
    void what_a_dead_supervisor_wrote_is_cleared_away() throws Exception {
        StackState.write(folder, new StackState(LONG_GONE, true, "", List.of()));

        assertThat(Shutdown.of(folder)).isEqualTo(Shutdown.Outcome.CLEARED_AFTER_A_CRASH);
        assertThat(folder.stateFile()).doesNotExist();
        assertThat(RunLock.tryAcquire(folder)).isPresent();
    }

    @Test
    void what_the_next_start_has_begun_is_left_to_it() throws Exception {
        StackState.write(folder, new StackState(LONG_GONE, true, "", List.of()));
        RunLock nextStart = RunLock.tryAcquire(folder).orElseThrow();
        try (nextStart) {
            Shutdown.of(folder);

            assertThat(folder.stateFile()).exists();
        }
    }

    @Test
    void a_supervisor_that_runs_but_cannot_be_named_is_not_called_stopped() throws Exception {
        Files.writeString(folder.stateFile(), "{");
        RunLock held = RunLock.tryAcquire(folder).orElseThrow();
        try (held) {
            assertThatThrownBy(() -> Shutdown.of(folder))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining(folder.pidFile().toString());
            assertThat(folder.stateFile()).exists();
        }
    }
}
