package io.meridian.stacktests.limiter;

import io.meridian.testkit.load.EncodedRequest;
import io.meridian.testkit.services.LimiterInstance;
import io.meridian.testkit.services.LimiterInstances;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The requests that the tests send. */
final class Checks {
    private static final String CHECK = "/api/v1/rate-limit/check";
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Checks() {}

    /** A check of cost 1 by {@code user} for {@code endpoint}, at the instances in turn, for the load generator. */
    static EncodedRequest encoded(LimiterInstances instances, long turn, String user, String endpoint) {
        return EncodedRequest.post(instances.uri(turn, CHECK), body(user, endpoint, 1, ""));
    }

    /** The same with an id, by which it is charged once however often it is sent. */
    static EncodedRequest encoded(LimiterInstances instances, long turn, String user, String endpoint, String id) {
        return EncodedRequest.post(instances.uri(turn, CHECK), body(user, endpoint, 1, requestId(id)));
    }

    /** The same for Java's client. */
    static HttpRequest.Builder of(LimiterInstances instances, long turn, String user, String endpoint, String id) {
        return post(instances.uri(turn, CHECK), body(user, endpoint, 1, requestId(id)));
    }

    private static String requestId(String id) {
        return ", \"request_id\": \"" + id + "\"";
    }

    /** The body of the answer to one check of this cost. */
    static String answer(LimiterInstance instance, String user, String endpoint, int cost)
            throws IOException, InterruptedException {
        HttpRequest request =
                post(instance.uri(CHECK), body(user, endpoint, cost, "")).build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** What an answer says remains of its most restrictive limit. */
    static long remaining(String answer) {
        String field = "\"remaining\":";
        int from = answer.indexOf(field) + field.length();
        int to = from;
        while (Character.isDigit(answer.charAt(to))) {
            to++;
        }
        return Long.parseLong(answer, from, to, 10);
    }

    /** The status by which it says whether it is ready. */
    static int readiness(LimiterInstance instance) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(instance.uri("/q/health/ready")).build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static String body(String user, String endpoint, int cost, String more) {
        return "{\"attributes\": {\"user_id\": \"%s\"}, \"endpoint\": \"%s\", \"method\": \"GET\", \"cost\": %d%s}"
                .formatted(user, endpoint, cost, more);
    }

    private static HttpRequest.Builder post(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }
}
