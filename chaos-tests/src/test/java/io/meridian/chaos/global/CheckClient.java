package io.meridian.chaos.global;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.chaos.drill.load.Answer;
import io.meridian.chaos.drill.load.CheckBody;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The API servers of all regions: they ask the limiter of their own. */
final class CheckClient implements AutoCloseable {
    private static final String CHECK = "/api/v1/rate-limit/check";
    /** Far beyond any time budget of a limiter: an answer so late is a failed check. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    private static final int THREADS = 2;

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "check-client");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .executor(executor)
            .build();
    private final Map<String, String> limiters;

    /** @param limiters the address of each region's limiter */
    CheckClient(Map<String, String> limiters) {
        this.limiters = Map.copyOf(limiters);
    }

    /** Asks without waiting. */
    CompletableFuture<Answer> ask(String region, Subject subject) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(limiter(region) + CHECK))
                .timeout(ANSWER_WITHIN)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(CheckBody.of(subject)))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(answer -> Answer.of(subject.policy(), answer.statusCode(), answer.body()));
    }

    private String limiter(String region) {
        String address = limiters.get(region);
        if (address == null) {
            throw new IllegalArgumentException("region must be one of " + limiters.keySet() + ", got " + region);
        }
        return address;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
