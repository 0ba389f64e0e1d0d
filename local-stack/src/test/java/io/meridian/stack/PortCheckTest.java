package io.meridian.stack;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.meridian.stack.plan.PortPlan;
import io.meridian.stack.process.Loopback;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PortCheckTest {
    @Test
    void a_taken_port_is_named_with_its_part_and_the_way_out() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(Loopback.at(Loopback.freePort()));
            int port = taken.getLocalPort();

            assertThatThrownBy(() -> PortCheck.allFree(new PortPlan(Map.of("postgres", port))))
                    .hasMessageStartingWith("Port " + port + ", wanted by postgres, is taken")
                    .hasMessageContaining("--port postgres=PORT");
        }
    }

    @Test
    void several_taken_ports_are_one_line() throws Exception {
        try (ServerSocket one = new ServerSocket();
                ServerSocket other = new ServerSocket()) {
            one.bind(Loopback.at(Loopback.freePort()));
            other.bind(Loopback.at(Loopback.freePort()));
            PortPlan plan = new PortPlan(Map.of("postgres", one.getLocalPort(), "faults", other.getLocalPort()));

            assertThatThrownBy(() -> PortCheck.allFree(plan))
                    .hasMessageContaining(", and 1 more are. Free it")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void free_ports_pass() {
        PortPlan plan = new PortPlan(Map.of("postgres", Loopback.freePort()));

        assertThatCode(() -> PortCheck.allFree(plan)).doesNotThrowAnyException();
    }
}
