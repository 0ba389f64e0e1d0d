package io.meridian.drill.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.history.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
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
 * Check client of all regions that balances load over each region's limiters: ready limiters in turn, and after a failed connection one retry
 * on another limiter, with the same request id, so that the check is charged once.
 */
public final class CheckClient implements AutoCloseable {
    private static final String CHECK = "/api/v1/rate-limit/check";
    /** Client timeout, far beyond any time budget of a limiter. */
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
    private final LimiterRotation rotation;
    private final String ids;
    private final Duration answerWithin;

    /**
     * @param limiters addresses by region
     * @param ids prefix of its request ids, unique to this client
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
        this.rotation = new LimiterRotation(
                client, this.limiters.values().stream().flatMap(List::stream).toList());
        rotation.begin();
    }

    /** Sends a check of the subject's key. */
    public CompletableFuture<CheckAnswer> check(String region, Subject subject) {
        return check(region, subject, subject.key());
    }

    public CompletableFuture<CheckAnswer> check(String region, Subject subject, String key) {
        List<String> addresses = rotation.of(of(region));
        long number = turns.computeIfAbsent(region, any -> new AtomicLong()).getAndIncrement();
        String first = addresses.get((int) (number % addresses.size()));
        String body = CheckRequest.of(subject, key, ids + "-" + region + "-" + number);
        return send(first, body)
                .exceptionallyCompose(failure -> sendElsewhere(region, first, body, failure))
                .thenApply(answer -> CheckAnswer.of(subject.policy(), answer.statusCode(), answer.body()));
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
        // The request's own timeout ends with the headers of the answer, and does not cover a body that never arrives.
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .orTimeout(answerWithin.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the connection failed. A late answer is none of that, because it may still arrive. */
    private static boolean isConnection(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof IOException
                && (cause instanceof HttpConnectTimeoutException || !(cause instanceof HttpTimeoutException));
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

    /**
     * Decision in a limiter's answer.
     *
     * @param windowEndMicros end of the window that was charged or exhausted
     * @param degraded whether the region decided without its Redis, and no other limiter knows of the check
     */
    public record CheckAnswer(boolean allowed, long windowEndMicros, boolean degraded) {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final int ALLOWED = 200;
        private static final int DENIED = 429;

        /** Parses an answer; one without a decision of the policy is refused, and makes a failed check. */
        public static CheckAnswer of(String policy, int status, String body) {
            if (status != ALLOWED && status != DENIED) {
                throw new IllegalArgumentException("status " + status);
            }
            JsonNode answer = parsed(body);
            for (JsonNode limit : answer.path("limits")) {
                if (limit.path("policy").asText().equals(policy)) {
                    return new CheckAnswer(
                            status == ALLOWED,
                            micros(limit.path("reset_at").asText()),
                            answer.path("degraded").asBoolean());
                }
            }
            throw new IllegalArgumentException("status " + status + " without the policy");
        }

        private static JsonNode parsed(String body) {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException malformed) {
                throw new IllegalArgumentException("invalid JSON", malformed);
            }
        }

        private static long micros(String instant) {
            return TimeUnit.SECONDS.toMicros(Instant.parse(instant).getEpochSecond());
        }
    }

    /** Requests about a subject. Each subject has its own endpoint, which only its own policy applies to. */
    public static final class CheckRequest {
        private CheckRequest() {}

        public static String endpoint(Subject subject) {
            return "/drill/" + subject.policy();
        }

        /** Name of the attribute in its key. */
        public static String attribute(Subject subject) {
            return subject.key().substring(0, subject.key().indexOf('='));
        }

        private static String value(String key) {
            return key.substring(key.indexOf('=') + 1);
        }

        /** Body of a check of cost 1, charged as often as it is sent. */
        public static String of(Subject subject) {
            return check(subject, subject.key()).toString();
        }

        /** Body of a check of cost 1 on one of its keys, charged once however often it is sent. */
        static String of(Subject subject, String key, String requestId) {
            return check(subject, key).put("request_id", requestId).toString();
        }

        private static ObjectNode check(Subject subject, String key) {
            ObjectNode check = JsonNodeFactory.instance
                    .objectNode()
                    .put("endpoint", endpoint(subject))
                    .put("method", "GET");
            check.putObject("attributes").put(attribute(subject), value(key));
            return check;
        }
    }
}
