package io.meridian.drill.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExternalCommandTest {
    @Test
    void a_command_is_out_of_reach_of_the_terminals_ctrl_c_in_a_process_group_of_its_own() throws Exception {
        ExternalCommand.Outcome outcome =
                ExternalCommand.run(List.of("sh", "-c", "echo $$; ps -o pgid= -p $$; exit 3"), Duration.ofMinutes(10));

        assertThat(outcome.status()).isEqualTo(3);
        assertThat(outcome.stdout().lines().map(String::strip).distinct()).hasSize(1);
    }
}
