package io.meridian.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** HTTP server in a limiter's place that answers as a test tells it, and notes the calls. */
final class StubLimiter implements AutoCloseable {
    private static final Pattern COST = Pattern.compile("\"cost\":(\\d+)");

    final List<String> calls = new CopyOnWriteArrayList<>();
    /** The answer to one check, by its cost. */
    volatile Function<Long, String> check = cost -> allowed(100);

    volatile Function<String, String> lease = body -> "{\"status\":422}";
    volatile int leaseStatus = 201;
    volatile int status = 200;
    private volatile CountDownLatch held = new CountDownLatch(0);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    StubLimiter() {
        this(0);
    }

    StubLimiter(int port) {
        server = start(port);
    }

    private HttpServer start(int port) {
        try {
            HttpServer started =
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            started.setExecutor(threads);
            started.createContext("/", this::answer);
            started.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String allowed(long remaining) {
        return "{\"allowed\":true,\"policy\":\"p\",\"limit\":100,\"remaining\":" + remaining
                + ",\"reset_at\":\"2099-01-15T11:00:00Z\",\"retry_after\":null,\"delay_ms\":0,\"warnings\":[],\"degraded\":false,"
                + "\"region\":\"us-east\",\"limits\":[{\"policy\":\"p\",\"key\":\"user_id=ann\",\"allowed\":true,\"limit\":100,"
                + "\"remaining\":" + remaining + ",\"reset_at\":\"2099-01-15T11:00:00Z\",\"shadow\":false,"
                + "\"decided_by\":\"region\",\"bound\":\"exact\",\"staleness_ms\":0,\"new_member\":{\"a\":[1]}}],\"status\":200}";
    }

    static String refused(int retryAfter) {
        return "{\"allowed\":false,\"policy\":\"p\",\"limit\":100,\"remaining\":0,\"retry_after\":" + retryAfter
                + ",\"limits\":[],\"type\":\"urn:meridian:problem:limit-exceeded\",\"status\":429}";
    }

    static String leased(long units, long ttlMillis) {
        return "{\"lease_id\":\"l1\",\"units\":" + units + ",\"ttl_ms\":" + ttlMillis
                + ",\"expires_at\":\"2099-01-15T11:00:00Z\",\"bound\":\"exact\",\"unit_costs\":{\"p\":2},"
                + allowed(90).substring(1).replace(",\"status\":200", "");
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Calls that come from now on are not answered until the release. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    long calls(String path) {
        return calls.stream().filter(call -> call.contains(path)).count();
    }

    void stop() {
        server.stop(0);
    }

    void startAgain() {
        server = start(server.getAddress().getPort());
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = call.getRequestURI().getPath();
            calls.add(path + " " + body);
            held.await();
            String text;
            int code = status;
            if (path.endsWith("/batch")) {
                // Each check is an object that begins with its attributes.
                text = List.of(body.split("\\{\"attributes\"")).stream()
                        .skip(1)
                        .map(StubLimiter::cost)
                        .map(check)
                        .collect(Collectors.joining(",", "{\"results\":[", "]}"));
            } else if (path.endsWith("/leases")) {
                text = lease.apply(body);
                code = leaseStatus;
            } else {
                text = "{}";
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            call.getResponseHeaders().add("Content-Type", "application/json");
            call.sendResponseHeaders(code, bytes.length);
            call.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long cost(String check) {
        Matcher cost = COST.matcher(check);
        return cost.find() ? Long.parseLong(cost.group(1)) : 1;
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}
