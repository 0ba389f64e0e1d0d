package io.meridian.stack.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.meridian.stack.faults.ExtraRoutes.ApiAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of the API, on 127.0.0.1 only. Past its workers and its queue the dispatcher serves, and so slows down. */
final class FaultApi implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FaultApi.class);
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    /** More than a stack has kinds of parts: a start waits for its part, and links are to be healed meanwhile. */
    private static final int WORKERS = 16;

    private static final int WAITING_MAX = 64;
    private static final int BACKLOG = 64;
    private static final int STOP_SECONDS = 5;

    private final HttpServer server;
    private final ThreadPoolExecutor workers;

    private FaultApi(HttpServer server, ThreadPoolExecutor workers) {
        this.server = server;
        this.workers = workers;
    }

    static FaultApi start(int port, FaultRoutes routes) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), BACKLOG);
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                daemons("api"),
                new ThreadPoolExecutor.CallerRunsPolicy());
        server.setExecutor(workers);
        server.createContext("/", new ApiHandler(routes));
        server.start();
        return new FaultApi(server, workers);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
        try {
            // A request under way may still be adding a proxy; what follows must see it.
            if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a request of the fault API did not end in {} s", STOP_SECONDS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    static ThreadFactory daemons(String role) {
        AtomicInteger started = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, FaultProxies.THREAD_PREFIX + role + "-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Turns an HTTP exchange into a call of the routes, and every failure into an answer of Toxiproxy's error shape. */
    static final class ApiHandler implements HttpHandler {
        static final int BODY_BYTES_MAX = 64 * 1024;

        private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
        private static final ObjectMapper JSON = new ObjectMapper();

        private final FaultRoutes routes;

        ApiHandler(FaultRoutes routes) {
            this.routes = routes;
        }

        @Override
        public void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                ApiAnswer answer = answer(exchange);
                if (answer.body().isEmpty()) {
                    exchange.sendResponseHeaders(answer.status(), -1);
                    return;
                }
                byte[] body = JSON.writeValueAsBytes(answer.body().get());
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(answer.status(), body.length);
                exchange.getResponseBody().write(body);
            }
        }

        private ApiAnswer answer(HttpExchange exchange) {
            try {
                refuseBrowsers(exchange);
                byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
                if (body.length > BODY_BYTES_MAX) {
                    return ApiAnswer.error(413, "body must have at most " + BODY_BYTES_MAX + " bytes");
                }
                return routes.answer(
                        exchange.getRequestMethod(),
                        segments(exchange.getRequestURI().getPath()),
                        () -> JSON.readTree(body));
            } catch (FaultRefusal refusal) {
                return ApiAnswer.error(refusal.status(), Objects.requireNonNull(refusal.getMessage()));
            } catch (JsonProcessingException malformed) {
                return ApiAnswer.error(400, "bad request body: " + malformed.getOriginalMessage());
            } catch (IllegalArgumentException bad) {
                return ApiAnswer.error(400, "bad request body: " + bad.getMessage());
            } catch (IOException failed) {
                return ApiAnswer.error(500, Objects.requireNonNullElse(failed.getMessage(), failed.toString()));
            } catch (RuntimeException unforeseen) {
                LOG.warn("the fault API failed on {}", exchange.getRequestURI(), unforeseen);
                return ApiAnswer.error(500, unforeseen.toString());
            }
        }

        /** A page open in a developer's browser must not be able to cut links behind their back. */
        private static void refuseBrowsers(HttpExchange exchange) {
            String agent = exchange.getRequestHeaders().getFirst("User-Agent");
            if (agent != null && agent.startsWith("Mozilla/")) {
                throw FaultRefusal.of(403, "user agent must not be a browser, got " + agent);
            }
        }

        private static List<String> segments(String path) {
            return Arrays.stream(path.split("/", -1))
                    .filter(part -> !part.isEmpty())
                    .toList();
        }
    }
}
