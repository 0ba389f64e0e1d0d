package io.meridian.bench.config;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A policy of the benchmark's own, for an endpoint that nobody else asks for. */
record MeasuredPolicy(MeasuredStack target, String id) {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);
    private static final Pattern LIMIT = Pattern.compile("\"limit\":(\\d+)");
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWER_WITHIN)
            .build();

    /** Makes it, or gives it another limit. */
    void put(long limit) throws IOException, InterruptedException {
        String document = "{\"id\": \"%1$s\", \"key\": [\"user_id\"], \"applies_to\": {\"endpoints\": [\"/%1$s\"]},"
                + " \"algorithm\": \"fixed_window\", \"limit\": %2$d, \"window\": \"1h\"}";
        change(admin().PUT(HttpRequest.BodyPublishers.ofString(document.formatted(id, limit))));
    }

    void delete() throws IOException, InterruptedException {
        change(admin().DELETE());
    }

    /** The limit by which this limiter would decide now, 0 if it knows of none. */
    long limitAt(URI limiter) throws IOException, InterruptedException {
        URI status = limiter.resolve("/api/v1/rate-limit/status?user_id=bench&method=GET&endpoint=/" + id);
        Matcher found = LIMIT.matcher(send(HttpRequest.newBuilder(status)).body());
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private HttpRequest.Builder admin() {
        return HttpRequest.newBuilder(target.config().resolve("/admin/api/v1/policies/" + id))
                .header("Authorization", "Bearer " + target.token())
                .header("Content-Type", "application/json");
    }

    private static void change(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request);
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(
                    "The config service refused a change with " + answer.statusCode() + ": " + answer.body());
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.timeout(ANSWER_WITHIN).build(), HttpResponse.BodyHandlers.ofString());
    }
}
