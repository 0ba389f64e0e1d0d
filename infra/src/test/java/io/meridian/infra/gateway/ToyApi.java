package io.meridian.infra.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.meridian.stack.process.Loopback;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** API behind a gateway: answers with method and length of the body, fails at paths with {@code broken}, and counts its calls. */
final class ToyApi implements AutoCloseable {
    private final HttpServer server = HttpServer.create(Loopback.at(0), 0);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    ToyApi() throws IOException {
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    int calls(String path) {
        return calls.getOrDefault(path, new AtomicInteger()).get();
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().getPath();
            calls.computeIfAbsent(path, unused -> new AtomicInteger()).incrementAndGet();
            int length = call.getRequestBody().readAllBytes().length;
            byte[] body = (call.getRequestMethod() + " of " + length).getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(path.contains("broken") ? 500 : 200, body.length);
            call.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
