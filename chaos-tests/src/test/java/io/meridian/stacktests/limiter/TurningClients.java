package io.meridian.stacktests.limiter;

import io.meridian.testkit.services.LimiterInstances;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Clients of two instances that ask the other one, with the same request id, when the first cannot be reached. */
final class TurningClients {
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);
    private static final long CHECKS_MAX = 1_000_000;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_WITHIN)
            .build();
    private final LimiterInstances instances;
    private final String user;
    private final AtomicLong asked = new AtomicLong();
    private final Map<Integer, Long> statuses = new ConcurrentHashMap<>();
    private final Map<String, Long> failures = new ConcurrentHashMap<>();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong reset = new AtomicLong();
    /** Kept connections that the server ended just when a client used them again. */
    private final AtomicLong ended = new AtomicLong();

    private final List<Thread> threads = new ArrayList<>();
    private volatile String phase = "start";
    private volatile boolean stopped;

    TurningClients(LimiterInstances instances, String user) {
        this.instances = instances;
        this.user = user;
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::ask, "turning-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** What is being done to the instances now, for the failures of that time. */
    void phase(String now) {
        phase = now;
    }

    long answered() {
        return statuses.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<Integer, Long> statuses() {
        return Map.copyOf(statuses);
    }

    /**
     * Requests that met the end of a kept connection, which no HTTP/1.1 server can rule out: the client asks another instance with the same
     * request id, so the check is answered and charged once.
     */
    long ended() {
        return ended.get();
    }

    /** Requests that an instance took, or may have taken, and did not answer; by what the client saw. */
    Map<String, Long> failures() {
        return Map.copyOf(failures);
    }

    private void ask() {
        for (long turn = asked.getAndIncrement(); turn < CHECKS_MAX && !stopped; turn = asked.getAndIncrement()) {
            if (!ask(turn, turn) && !ask(turn, turn + 1)) {
                failures.merge("no instance", 1L, Long::sum);
            }
        }
    }

    private boolean ask(long id, long instance) {
        HttpRequest request = Checks.of(instances, instance, user, "/kept", "r-" + id)
                .timeout(ANSWER_WITHIN)
                .build();
        try {
            statuses.merge(
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode(), 1L, Long::sum);
            return true;
        } catch (ConnectException nobody) {
            refused.incrementAndGet();
            return false;
        } catch (IOException lost) {
            // A listener that closes resets what the system had let in and nobody had taken yet.
            Throwable root = root(lost);
            if (isReset(root) || isOfTheClient(root)) {
                reset.incrementAndGet();
            } else if (root instanceof EOFException) {
                ended.incrementAndGet();
            } else {
                failures.merge(root + " at port " + request.uri().getPort() + ", " + phase, 1L, Long::sum);
            }
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Reading from a connection that was reset throws one thing, writing to it another, which has no type of its own. */
    private static boolean isReset(Throwable root) {
        return root instanceof SocketException
                || "Connection reset by peer".equals(root.getMessage())
                || "Broken pipe".equals(root.getMessage());
    }

    /**
     * Whether the client closed the connection by itself. Some three times in a million requests Java 17's client takes the answer to a
     * request for bytes that nobody asked for, because its pool still watches the connection; the server has done nothing wrong.
     */
    private static boolean isOfTheClient(Throwable root) {
        return "connection closed locally".equals(root.getMessage());
    }

    /** The client says of every early end the same, whatever the system said. */
    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Override
    public String toString() {
        return "statuses %s, connections refused %d, reset %d and ended %d, failures %s"
                .formatted(statuses, refused.get(), reset.get(), ended.get(), failures);
    }
}
