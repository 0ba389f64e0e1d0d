package io.meridian.stack.faults;

import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.rekawek.toxiproxy.model.ToxicDirection;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone, because it counts the threads of all proxies in this process. */
@Isolated
class CloseTest {
    @Test
    void closing_leaves_no_thread_no_port_and_no_connection() throws IOException {
        try (Drill drill = new Drill()) {
            int apiPort = drill.proxies.apiPort();
            int healthyPort = Drill.port(drill.newLink("healthy"));
            int disabledPort = Drill.port(drill.newLink("disabled"));
            drill.client.getProxy("disabled").disable();
            Caller onHealthy = drill.dial(drill.client.getProxy("healthy"));
            onHealthy.ask("hello");
            Caller inHole = drill.dialled();
            drill.link.toxics().timeout("hole", ToxicDirection.UPSTREAM, Drill.HOUR_MILLIS);
            drill.link.toxics().latency("slow", ToxicDirection.DOWNSTREAM, Drill.HOUR_MILLIS);
            drill.server.push("held");
            assertThat(faultThreads()).isNotEmpty();

            drill.proxies.close();

            assertThat(onHealthy.hearUntilCut()).isNotNull();
            assertThat(inHole.hearUntilCut()).isEmpty();
            for (int port : List.of(apiPort, healthyPort, disabledPort, Drill.port(drill.link))) {
                assertThatThrownBy(() -> Caller.dial(port)).isInstanceOf(ConnectException.class);
            }
            eventually("no thread is left").until(() -> faultThreads().isEmpty());
        }
    }

    @Test
    void closing_twice_is_closing_once_and_nothing_can_be_added_after() throws IOException {
        FaultProxies proxies = FaultProxies.start(0);
        proxies.close();
        proxies.close();

        assertThatThrownBy(() -> proxies.add("late", Drill.anyLoopbackPort(), Drill.anyLoopbackPort()))
                .isInstanceOf(IllegalStateException.class);
        eventually("no thread is left").until(() -> faultThreads().isEmpty());
    }

    private static List<String> faultThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(FaultProxies.THREAD_PREFIX) || name.equals("HTTP-Dispatcher"))
                .toList();
    }
}
