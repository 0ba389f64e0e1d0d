package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.meridian.stack.StateFolder.RunLock;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {
    @Test
    void one_at_a_time_holds_the_lock(@TempDir Path root) throws Exception {
        StateFolder folder = new StateFolder(root);
        RunLock first = RunLock.tryAcquire(folder).orElseThrow();

        assertThat(RunLock.tryAcquire(folder)).isEmpty();

        first.close();
        assertThat(RunLock.tryAcquire(folder)).isPresent();
    }
}
