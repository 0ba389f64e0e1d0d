package io.meridian.stacktests.config;

import io.meridian.testkit.services.ConfigInstance;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The calls of an admin. */
record Admin(ConfigInstance service) {
    /** Says since when an answer may be out of date. */
    static final String AS_OF = "X-Meridian-As-Of";

    static final String REVISION = "X-Meridian-Revision";

    private static final Pattern LIMIT = Pattern.compile("\"limit\":(\\d+)");
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    /** Gives a policy for one endpoint, that of its id, a limit. */
    HttpResponse<String> put(String id, int limit) throws IOException, InterruptedException {
        String body = "{\"id\": \"%1$s\", \"key\": [\"user_id\"], \"applies_to\": {\"endpoints\": [\"/%1$s\"]},"
                + " \"algorithm\": \"fixed_window\", \"limit\": %2$d, \"window\": \"1d\"}";
        return send(request("policies/" + id).PUT(HttpRequest.BodyPublishers.ofString(body.formatted(id, limit))));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    /** Whether it lets its first admin do something. */
    boolean isUp() throws InterruptedException {
        try {
            return get("revision").statusCode() == 200;
        } catch (IOException away) {
            return false;
        }
    }

    /** The limit that a document speaks of first. */
    static long limit(String document) {
        Matcher found = LIMIT.matcher(document);
        return found.find() ? Long.parseLong(found.group(1)) : -1;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(service.uri("/admin/api/v1/" + path))
                .timeout(ANSWER_WITHIN)
                .header("Authorization", "Bearer " + service.token())
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
