package io.meridian.stacktests.global;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.meridian.drill.targets.HttpCalls;
import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Checks of any key at one limiter, and the time until each is answered. */
final class KeyClient {
    private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final TimeSource time = TimeSource.system();
    private final String limiter;
    private final String endpoint;

    KeyClient(String limiter, String endpoint) {
        this.limiter = limiter;
        this.endpoint = endpoint;
    }

    /** Answer to a check. */
    record Answer(boolean allowed, long millis) {}

    CompletableFuture<Answer> check(String user, long cost) {
        String body = "{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"%s\", \"method\": \"GET\", \"cost\": %d}"
                .formatted(user, endpoint, cost);
        HttpRequest request = HttpRequest.newBuilder(URI.create(limiter + "/api/v1/rate-limit/check"))
                .timeout(ANSWER_WITHIN)
                .header("Content-Type", "application/json")
                .POST(HttpCalls.text(body))
                .build();
        long sentNanos = time.monotonicNanos();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(answer -> answer(answer, TimeUnit.NANOSECONDS.toMillis(time.monotonicNanos() - sentNanos)));
    }

    private static Answer answer(HttpResponse<String> answer, long millis) {
        try {
            JsonNode body = JSON.readTree(answer.body());
            boolean decided = answer.statusCode() == 200 || answer.statusCode() == 429;
            if (!decided || body.path("degraded").asBoolean(true)) {
                throw new AssertionError("status " + answer.statusCode() + ": " + answer.body());
            }
            return new Answer(answer.statusCode() == 200, millis);
        } catch (IOException malformed) {
            throw new AssertionError("no JSON: " + answer.body(), malformed);
        }
    }

    long remaining(String user) throws Exception {
        String query = "/api/v1/rate-limit/status?user_id=" + user + "&method=GET&endpoint=" + endpoint;
        return HttpCalls.json(HttpCalls.to(limiter + query).GET())
                .path("limits")
                .path(0)
                .path("remaining")
                .asLong(-1);
    }
}
