package io.meridian.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The parts of a stack as a drill reaches them. */
record PartsApi(int port) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration WITHIN = Duration.ofSeconds(60);

    record Reply(int status, JsonNode body) {
        String error() {
            return body.path("error").asText();
        }
    }

    Reply post(String part, String verb) throws IOException, InterruptedException {
        return send("POST", "/parts/" + part + "/" + verb);
    }

    JsonNode part(String name) throws IOException, InterruptedException {
        return send("GET", "/parts/" + name).body();
    }

    Reply send(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(WITHIN)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), new ObjectMapper().readTree(response.body()));
    }
}
