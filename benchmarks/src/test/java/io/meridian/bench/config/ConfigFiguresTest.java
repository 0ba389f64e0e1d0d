package io.meridian.bench.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meridian.bench.config.ConfigFigures.ConfigScale;
import io.meridian.stack.StateFolder;
import io.meridian.stack.plan.Regions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFiguresTest {
    private static final ConfigScale FEW = new ConfigScale(1, 5, Duration.ofMinutes(1));

    private final AtomicInteger deletions = new AtomicInteger();
    private volatile String policy = "";
    private HttpServer server;

    /** A service and a limiter in one, which acts by a change at once. */
    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/admin/api/v1/policies/", this::admin);
        server.createContext("/api/v1/rate-limit/status", call -> answer(call, policy.replace(" ", "")));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void a_short_run_prints_every_figure_and_leaves_no_policy() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        MeasuredStack target =
                new MeasuredStack(address(), "token", Map.of("us-east", address(), "eu-west", address()));

        ConfigFigures.run(target, FEW, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("5 changes", "answered", "in effect in us-east", "in effect in eu-west")
                .containsPattern("in effect everywhere .* p99 at most 1,000 ms: (met|NOT MET)");
        assertThat(deletions).hasValue(1);
    }

    @Test
    void without_a_running_stack_it_says_how_to_start_one(@TempDir Path folder) {
        assertThatThrownBy(() -> MeasuredStack.running(new StateFolder(folder))).hasMessageContaining("./meridian up");
    }

    @Test
    void a_running_stack_is_found_among_its_servers(@TempDir Path folder) throws Exception {
        String part = """
                {"name": "%s", "address": "%s", "process": {"pid": 1, "startedAtMillis": 1}, "kind": "HTTP",
                 "target": "", "stopped": false}""";
        List<String> parts = new ArrayList<>(List.of(part.formatted("postgres", "127.0.0.1:15432")));
        parts.add(part.formatted("config-service", "http://127.0.0.1:8080"));
        Regions.ALL.forEach(region -> {
            parts.add(part.formatted("limiter-" + region, "http://127.0.0.1:8101"));
            parts.add(part.formatted("redis-" + region, "127.0.0.1:16371"));
        });
        Files.writeString(
                folder.resolve("state.json"),
                "{\"supervisor\": {\"pid\": 1, \"startedAtMillis\": 1}, \"ready\": true, \"faultsAddress\": \"\","
                        + " \"parts\": [" + String.join(",", parts) + "]}");
        Files.writeString(folder.resolve("admin-token"), "token\n");

        MeasuredStack found = MeasuredStack.running(new StateFolder(folder));

        assertThat(found.config()).isEqualTo(URI.create("http://127.0.0.1:8080"));
        assertThat(found.token()).isEqualTo("token");
        assertThat(found.limiters()).containsOnlyKeys(Regions.ALL);
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void admin(HttpExchange call) throws IOException {
        String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (call.getRequestMethod().equals("DELETE")) {
            deletions.incrementAndGet();
        } else {
            policy = body;
        }
        answer(call, body);
    }

    private static void answer(HttpExchange call, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }
}
