package io.meridian.stack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackTest {
    @Test
    void a_port_that_somebody_keeps_bound_without_listening_is_not_given_away() throws IOException {
        try (Socket kept = new Socket()) {
            kept.setReuseAddress(true);
            int next = bindAfter(Loopback.freePort(), kept);

            assertThat(Loopback.isFree(next))
                    .as("a server may still listen there")
                    .isTrue();
            assertThat(IntStream.range(0, 64).map(each -> Loopback.freePort())).doesNotContain(next);
        }
    }

    /** Binds some port that is tried soon after this one. */
    private static int bindAfter(int port, Socket socket) throws IOException {
        for (int next = port + 1; ; next++) {
            if (Loopback.isFree(next)) {
                socket.bind(Loopback.at(next));
                return next;
            }
        }
    }
}
