package io.meridian.stack.faults;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    static FaultApi start(int port, ApiRoutes routes) throws IOException {
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
}
