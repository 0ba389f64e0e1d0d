package io.meridian.drill.targets;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpServer;
import io.meridian.drill.definition.PartFault.Verb;
import io.meridian.drill.targets.LocalTarget.SupervisorParts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SupervisorPartsTest {
    private final HttpServer supervisor;
    private volatile String refusal = "";

    SupervisorPartsTest() throws Exception {
        supervisor = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        supervisor.createContext("/", exchange -> {
            byte[] body = ("{\"error\":\"" + refusal + "\",\"status\":409}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(409, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        supervisor.start();
    }

    @AfterEach
    void end() {
        supervisor.stop(0);
    }

    @Test
    void a_part_that_runs_already_is_started() {
        refusal = "kafka runs, cannot start";

        assertThatCode(() -> parts().act("kafka", Verb.START)).doesNotThrowAnyException();
    }

    @Test
    void any_other_refusal_is_a_failure_that_says_why() {
        refusal = "kafka is busy, cannot start";
        assertThatIOException()
                .isThrownBy(() -> parts().act("kafka", Verb.START))
                .withMessageContaining("is busy");

        refusal = "kafka does not run, cannot thaw";
        assertThatIOException()
                .isThrownBy(() -> parts().act("kafka", Verb.THAW))
                .withMessageContaining("cannot thaw");
    }

    private SupervisorParts parts() {
        return new SupervisorParts("http://127.0.0.1:" + supervisor.getAddress().getPort());
    }
}
