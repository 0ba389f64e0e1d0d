package io.meridian.stack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    private final ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current());

    @Test
    void a_running_process_is_alive_even_when_the_clock_was_set_a_little() {
        assertThat(self.isAlive()).isTrue();
        assertThat(new ProcessIdentity(self.pid(), self.startedAtMillis() - 2_000).isAlive())
                .isTrue();
    }

    @Test
    void a_later_process_with_the_same_number_is_another_one() {
        long longBefore = self.startedAtMillis() - TimeUnit.HOURS.toMillis(1);

        assertThat(new ProcessIdentity(self.pid(), longBefore).isAlive()).isFalse();
    }
}
