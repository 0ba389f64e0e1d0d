package io.meridian.chaos.drill.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Single questions to the parts of a world, one after the other. */
public final class Http {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private Http() {}

    public static HttpRequest.Builder to(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_WITHIN);
    }

    public static HttpRequest.BodyPublisher text(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }

    /** The body of an answer of the 200s; any other is a failure that says what was answered. */
    public static String ask(HttpRequest.Builder builder) throws IOException, InterruptedException {
        HttpRequest request = builder.build();
        HttpResponse<String> answer = send(request);
        requireDone(request, answer);
        return answer.body();
    }

    /** Refuses an answer that is not of the 200s. */
    static void requireDone(HttpRequest request, HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(request.method() + " " + request.uri() + " was answered with " + answer.statusCode()
                    + ": " + answer.body());
        }
    }

    /** Whatever is answered; one that nobody answers is a failure that says who was asked. */
    public static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(request.method() + " " + request.uri() + " was not answered: " + e, e);
        }
    }

    public static JsonNode json(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JSON.readTree(ask(request));
    }
}
