package io.meridian.drill.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DrillPublisherTest {
    private final HttpServer service;
    private final List<String> received = new CopyOnWriteArrayList<>();
    private volatile int status = 201;
    private volatile String answer = "{\"id\": 7, \"report\": \"/admin/api/v1/drills/7/report\"}";

    DrillPublisherTest() throws Exception {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void end() {
        service.stop(0);
    }

    @Test
    void a_drill_is_posted_with_the_token_and_its_page_is_where_the_service_says() throws Exception {
        ObjectNode drill = JsonNodeFactory.instance.objectNode().put("drill", "kill-redis");

        assertThat(publisher().publish(drill)).isEqualTo(address() + "/admin/api/v1/drills/7/report");

        assertThat(received).containsExactly("POST /admin/api/v1/drills Bearer secret {\"drill\":\"kill-redis\"}");
    }

    @Test
    void a_drill_without_a_page_is_named_by_its_own_address() throws Exception {
        answer = "{\"id\": 8, \"report\": null}";

        assertThat(publisher().publish(JsonNodeFactory.instance.objectNode()))
                .isEqualTo(address() + "/admin/api/v1/drills/8");
    }

    @Test
    void a_refusal_is_a_failure_that_says_why() {
        status = 403;
        answer = "{\"detail\": \"this needs the role editor\"}";

        assertThatIOException()
                .isThrownBy(() -> publisher().publish(JsonNodeFactory.instance.objectNode()))
                .withMessageContaining("403")
                .withMessageContaining("editor");
    }

    private DrillPublisher publisher() {
        return new DrillPublisher(address(), "secret");
    }

    private String address() {
        return "http://127.0.0.1:" + service.getAddress().getPort();
    }
}
