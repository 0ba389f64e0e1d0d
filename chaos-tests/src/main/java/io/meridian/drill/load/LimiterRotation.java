package io.meridian.drill.load;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Rotation of limiters as a load balancer has it: one that is not ready, or whose connection failed, is out until its readiness probe
 * succeeds. If all are out, all are used.
 */
final class LimiterRotation implements AutoCloseable {
    private static final String READY = "/q/health/ready";
    private static final Duration PROBE_EVERY = Duration.ofSeconds(1);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    private static final int OK = 200;

    private final HttpClient client;
    private final List<String> addresses;
    private final Duration answerWithin;
    private final Set<String> out = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService probes = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "rotation");
        thread.setDaemon(true);
        return thread;
    });

    LimiterRotation(HttpClient client, Collection<String> addresses) {
        this(client, addresses, ANSWER_WITHIN);
    }

    /** @param answerWithin timeout of the readiness probe */
    LimiterRotation(HttpClient client, Collection<String> addresses, Duration answerWithin) {
        this.client = client;
        this.addresses = List.copyOf(addresses);
        this.answerWithin = answerWithin;
    }

    void begin() {
        var unused = probes.scheduleWithFixedDelay(
                this::probe, PROBE_EVERY.toMillis(), PROBE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Those of them that are in the rotation. */
    List<String> of(List<String> all) {
        if (out.isEmpty()) {
            return all;
        }
        List<String> in = all.stream().filter(each -> !out.contains(each)).toList();
        return in.isEmpty() ? all : in;
    }

    /** Takes a limiter out after a failed connection. */
    void failed(String address) {
        out.add(address);
    }

    /** Probes the readiness of all, and returns when each has answered or timed out. */
    void probe() {
        CompletableFuture.allOf(addresses.stream().map(this::probe).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    private CompletableFuture<Void> probe(String address) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + READY))
                .timeout(answerWithin)
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .handle((answer, failure) -> failure == null && answer.statusCode() == OK)
                .thenAccept(ready -> {
                    if (ready) {
                        out.remove(address);
                    } else {
                        out.add(address);
                    }
                });
    }

    @Override
    public void close() {
        probes.shutdownNow();
    }
}
