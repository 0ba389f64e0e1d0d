package io.meridian.drill.load;

import com.sun.net.httpserver.HttpServer;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A limiter that allows everything, or answers whatever it is told to. */
public final class LimiterStub implements AutoCloseable {
    private static final Pattern ENDPOINT = Pattern.compile("\"endpoint\":\"/drill/([^\"]+)\"");

    /** A burst of new connections must not be sent again a second later. */
    private static final int BACKLOG = 1_024;

    private final ExecutorService executor = Executors.newFixedThreadPool(4);
    private final HttpServer server;
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    private volatile int status = 200;
    private volatile boolean holding;
    private volatile boolean ready = true;

    public LimiterStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(executor);
        server.createContext("/q/health/ready", exchange -> {
            exchange.sendResponseHeaders(ready ? 200 : 503, -1);
            exchange.close();
        });
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            bodies.add(body);
            byte[] answer = answer(body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, answer.length);
            if (holding) {
                exchange.getResponseBody().flush();
                return;
            }
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    private static String answer(String body) {
        Matcher policy = ENDPOINT.matcher(body);
        long second = TimeUnit.MICROSECONDS.toSeconds(TimeSource.system().wallMicros()) + 1;
        return "{\"degraded\": false, \"limits\": [{\"policy\": \"%s\", \"reset_at\": \"%s\"}]}"
                .formatted(policy.find() ? policy.group(1) : "", Instant.ofEpochSecond(second));
    }

    public void answersWith(int other) {
        status = other;
    }

    void isReady(boolean now) {
        ready = now;
    }

    /** From now on it answers with headers alone. */
    void holdsBodiesBack() {
        holding = true;
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Queue<String> bodies() {
        return bodies;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
