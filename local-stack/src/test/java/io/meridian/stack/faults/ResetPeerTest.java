package io.meridian.stack.faults;

import static eu.rekawek.toxiproxy.model.ToxicDirection.DOWNSTREAM;
import static eu.rekawek.toxiproxy.model.ToxicDirection.UPSTREAM;
import static io.meridian.testkit.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResetPeerTest {
    private Drill drill;

    @BeforeEach
    void start() throws IOException {
        drill = new Drill();
    }

    @AfterEach
    void stop() throws IOException {
        drill.close();
    }

    @Test
    void a_living_connection_is_reset_at_once() throws IOException {
        Caller caller = drill.dialled();

        drill.link.toxics().resetPeer("reset", DOWNSTREAM, 0);

        assertThatThrownBy(() -> caller.hear(1))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        eventually("the server's end").until(() -> drill.server.connectionsEnded() == 1);
    }

    @Test
    void a_connection_is_reset_after_the_timeout_and_not_before() throws IOException {
        Caller caller = drill.dialled();
        long start = drill.now();
        drill.link.toxics().resetPeer("reset", UPSTREAM, 150);

        caller.say("lost");

        assertThatThrownBy(() -> caller.hear(1))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(Caller.millisSince(start)).isGreaterThanOrEqualTo(150);
        assertThat(drill.server.received()).isEqualTo("?");
    }

    @Test
    void without_the_toxic_connections_live_again() throws IOException {
        drill.link.toxics().resetPeer("reset", DOWNSTREAM, 0).remove();

        assertThat(drill.dial().ask("healed")).isEqualTo("healed");
    }
}
