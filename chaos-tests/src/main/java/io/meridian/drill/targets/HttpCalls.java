package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Blocking HTTP calls to the parts of a target. */
public final class HttpCalls {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private HttpCalls() {}

    public static HttpRequest.Builder to(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_WITHIN);
    }

    public static HttpRequest.BodyPublisher text(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }

    /** Body of a 2xx answer; any other answer is an exception with its status and body. */
    public static String call(HttpRequest.Builder builder) throws IOException, InterruptedException {
        HttpRequest request = builder.build();
        HttpResponse<String> answer = send(request);
        requireSuccess(request, answer);
        return answer.body();
    }

    /** Refuses an answer other than 2xx. */
    static void requireSuccess(HttpRequest request, HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(request.method() + " " + request.uri() + " was answered with " + answer.statusCode()
                    + ": " + answer.body());
        }
    }

    /** Any answer; no answer is an exception with the request's URL. */
    public static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(request.method() + " " + request.uri() + " was not answered: " + e, e);
        }
    }

    public static JsonNode json(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JSON.readTree(call(request));
    }
}
