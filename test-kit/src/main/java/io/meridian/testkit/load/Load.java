package io.meridian.testkit.load;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Clients that ask over HTTP, each the next thing as soon as it has an answer, and count what they hear. A closed loop: it
 * shows what is answered, not how fast under a set rate.
 */
public final class Load {
    /** Bounds what is kept of the times; a load ends by itself when it has asked so often. */
    public static final long REQUESTS_MAX = 5_000_000;

    private static final Duration CONNECT_WITHIN = Duration.ofMinutes(1);
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);

    private static final int ATTEMPTS_MAX = 3;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();
    private final LongFunction<HttpRequest.Builder> requests;
    private final long requestsMax;
    private final AtomicLong asked = new AtomicLong();
    private final Map<Integer, Long> statuses = new ConcurrentHashMap<>();
    private final Map<String, Long> failures = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    private Load(LongFunction<HttpRequest.Builder> requests, long requestsMax) {
        this.requests = requests;
        this.requestsMax = requestsMax;
    }

    /** Asks {@code count} things with so many clients at once, and returns when all were answered or have failed. */
    public static LoadReport run(int clients, long count, LongFunction<HttpRequest.Builder> requests)
            throws InterruptedException {
        if (count < 0 || count > REQUESTS_MAX) {
            throw new IllegalArgumentException("count must be from 0 to " + REQUESTS_MAX + ", got " + count);
        }
        Load load = new Load(requests, count);
        load.start(clients);
        return load.awaitEnd();
    }

    /**
     * Begins to ask, until {@link #stop}.
     *
     * @param requests the n-th request, from 0 on; called by all clients, and once more for a request whose connection the client closed
     */
    public static Load start(int clients, LongFunction<HttpRequest.Builder> requests) {
        Load load = new Load(requests, REQUESTS_MAX);
        load.start(clients);
        return load;
    }

    /** How many requests have their answer, or have failed, so far: for waiting until some passed in a new state. */
    public long done() {
        return statuses.values().stream().mapToLong(Long::longValue).sum()
                + failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many answers had this status so far. */
    public long count(int status) {
        return statuses.getOrDefault(status, 0L);
    }

    /** Lets every client have its last answer, and tells. */
    public LoadReport stop() throws InterruptedException {
        stopped = true;
        return awaitEnd();
    }

    private void start(int count) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::ask, "load-" + i);
            thread.setDaemon(true);
            clients.add(thread);
            thread.start();
        }
    }

    private LoadReport awaitEnd() throws InterruptedException {
        for (Thread thread : clients) {
            thread.join();
        }
        return new LoadReport(
                statuses, failures, nanos.stream().mapToLong(Long::longValue).toArray());
    }

    private void ask() {
        TimeSource time = TimeSource.system();
        for (long turn = asked.getAndIncrement(); turn < requestsMax && !stopped; turn = asked.getAndIncrement()) {
            long startNanos = time.monotonicNanos();
            try {
                statuses.merge(status(turn), 1L, Long::sum);
            } catch (IOException failed) {
                failures.merge(failed.getClass().getSimpleName(), 1L, Long::sum);
            } catch (InterruptedException interrupted) {
                return;
            }
            nanos.add(time.monotonicNanos() - startNanos);
        }
    }

    private int status(long turn) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            HttpRequest request = requests.apply(turn).timeout(ANSWER_WITHIN).build();
            try {
                return client.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
            } catch (IOException failed) {
                if (attempt == ATTEMPTS_MAX || !isOfTheClient(failed)) {
                    throw failed;
                }
            }
        }
    }

    /**
     * Whether the client closed the connection by itself. Some three times in a million requests Java 17's client takes the answer to a
     * request for bytes that nobody asked for, because its pool still watches the connection; the server has done nothing wrong.
     */
    public static boolean isOfTheClient(IOException failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "connection closed locally".equals(root.getMessage());
    }
}
