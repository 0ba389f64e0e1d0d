package io.meridian.chaos.drill.load;

import io.meridian.chaos.drill.history.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The API servers of all regions, with a load balancer each: limiters that are ready take turns, and a connection that fails is tried
 * once more on the next one, with the same request id, so that it is charged once.
 */
public final class CheckClient implements AutoCloseable {
    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final String STATUS = "/api/v1/rate-limit/status";
    /** Far beyond any time budget of a limiter: an answer so late is a failed check. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

    private static final int THREADS = 2;

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "check-client");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient client;
    private final Map<String, List<String>> limiters = new LinkedHashMap<>();
    private final Map<String, AtomicLong> turns = new ConcurrentHashMap<>();
    private final Rotation rotation;
    private final String ids;
    private final Duration answerWithin;

    /**
     * @param limiters the addresses of each region's
     * @param ids what its request ids begin with: no other client's do
     */
    public CheckClient(Map<String, List<String>> limiters, String ids) {
        this(limiters, ids, CONNECT_WITHIN, ANSWER_WITHIN);
    }

    public CheckClient(Map<String, List<String>> limiters, String ids, Duration connectWithin, Duration answerWithin) {
        this.answerWithin = answerWithin;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connectWithin)
                .executor(executor)
                .build();
        limiters.forEach((region, addresses) -> this.limiters.put(region, List.copyOf(addresses)));
        this.ids = ids;
        this.rotation = new Rotation(
                client, this.limiters.values().stream().flatMap(List::stream).toList());
        rotation.begin();
    }

    /** Asks without waiting. */
    public CompletableFuture<Answer> ask(String region, Subject subject) {
        return ask(region, subject, subject.key());
    }

    /** The same of one of the subject's keys. */
    public CompletableFuture<Answer> ask(String region, Subject subject, String key) {
        List<String> addresses = rotation.of(of(region));
        long number = turns.computeIfAbsent(region, any -> new AtomicLong()).getAndIncrement();
        String first = addresses.get((int) (number % addresses.size()));
        String body = CheckBody.of(subject, key, ids + "-" + region + "-" + number);
        return send(first, body)
                .exceptionallyCompose(failure -> sendElsewhere(region, first, body, failure))
                .thenApply(answer -> Answer.of(subject.policy(), answer.statusCode(), answer.body()));
    }

    private CompletableFuture<HttpResponse<String>> sendElsewhere(
            String region, String failed, String body, Throwable failure) {
        if (!isConnection(failure)) {
            return CompletableFuture.failedFuture(failure);
        }
        rotation.failed(failed);
        return of(region).stream()
                .filter(each -> !each.equals(failed))
                .findFirst()
                .map(other -> send(other, body))
                .orElseGet(() -> CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<HttpResponse<String>> send(String address, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + CHECK))
                .timeout(answerWithin)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        // The request's own timeout ends with the headers of the answer: a body that never comes would be waited for.
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .orTimeout(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Not what is only late: whoever is late may yet answer. */
    private static boolean isConnection(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof IOException
                && (cause instanceof HttpConnectTimeoutException || !(cause instanceof HttpTimeoutException));
    }

    /** Where a region says what it believes to be left. */
    public String statusUrl(String region, Subject subject) {
        return of(region).get(0) + STATUS + CheckBody.statusQuery(subject);
    }

    private List<String> of(String region) {
        List<String> addresses = limiters.get(region);
        if (addresses == null) {
            throw new IllegalArgumentException("region must be one of " + limiters.keySet() + ", got " + region);
        }
        return addresses;
    }

    @Override
    public void close() {
        rotation.close();
        executor.shutdownNow();
    }
}
