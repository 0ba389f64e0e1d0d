package io.meridian.chaos.drill.load;

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
 * Which limiters take turns, as a load balancer knows it: one that says it is not ready, or whose connection failed, is left out until
 * it is ready. If none is, all are asked.
 */
final class Rotation implements AutoCloseable {
    private static final String READY = "/q/health/ready";
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    private static final int OK = 200;

    private final HttpClient client;
    private final List<String> addresses;
    private final Duration answerWithin;
    private final Set<String> out = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "rotation");
        thread.setDaemon(true);
        return thread;
    });

    Rotation(HttpClient client, Collection<String> addresses) {
        this(client, addresses, ANSWER_WITHIN);
    }

    /** @param answerWithin after which a limiter that does not say it is ready counts as not ready */
    Rotation(HttpClient client, Collection<String> addresses, Duration answerWithin) {
        this.client = client;
        this.addresses = List.copyOf(addresses);
        this.answerWithin = answerWithin;
    }

    void begin() {
        var unused = looks.scheduleWithFixedDelay(
                this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Those of them that take turns. */
    List<String> of(List<String> all) {
        if (out.isEmpty()) {
            return all;
        }
        List<String> in = all.stream().filter(each -> !out.contains(each)).toList();
        return in.isEmpty() ? all : in;
    }

    /** Its connection failed: it is left out until it says that it is ready. */
    void failed(String address) {
        out.add(address);
    }

    /** Looks at all of them, and returns when each has answered or not. */
    void look() {
        CompletableFuture.allOf(addresses.stream().map(this::look).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    private CompletableFuture<Void> look(String address) {
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
        looks.shutdownNow();
    }
}
