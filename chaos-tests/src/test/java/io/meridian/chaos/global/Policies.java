package io.meridian.chaos.global;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.stack.fixture.Eventually;
import io.meridian.stack.topology.Regions;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.HashSet;
import java.util.Set;

/** The policies of a world, changed as an admin does it. */
record Policies(String configService, String token) {
    private static final String USER = "42";

    /** What is created is in effect in all regions. */
    Subject converge(String id, Scale scale) throws Exception {
        return create(id, scale, "global", "converge");
    }

    Subject escrow(String id, Scale scale) throws Exception {
        return create(id, scale, "global", "escrow");
    }

    /** The limit is then each region's own. */
    Subject regional(String id, Scale scale) throws Exception {
        return create(id, scale, "regional", "converge");
    }

    private Subject create(String id, Scale scale, String scope, String mode) throws Exception {
        Subject subject = new Subject(id, USER);
        String policy = "{\"id\": \"%s\", \"applies_to\": {\"endpoints\": [\"%s\"]}, \"key\": [\"user_id\"],"
                + " \"algorithm\": \"fixed_window\", \"limit\": %d, \"window\": \"%s\", \"scope\": \"%s\","
                + " \"mode\": \"%s\", \"on_exhausted\": \"deny\"}";
        Http.ask(request("/policies")
                .POST(Http.text(policy.formatted(id, subject.endpoint(), scale.limit(), scale.window(), scope, mode))));
        awaitInEffect();
        return subject;
    }

    /** Returns when the change is made, not when it is in effect. */
    void changeLimit(Subject subject, long limit) throws Exception {
        Http.ask(request("/policies/" + subject.policy()).method("PATCH", Http.text("{\"limit\": " + limit + "}")));
    }

    private void awaitInEffect() throws Exception {
        Eventually.holds(
                "every region has the newest policies", () -> laggards().isEmpty());
    }

    private Set<String> laggards() throws IOException, InterruptedException {
        Set<String> laggards = new HashSet<>(Regions.ALL);
        Set<String> behind = new HashSet<>();
        for (JsonNode limiter : Http.json(request("/regions").GET()).path("items")) {
            String region = limiter.path("region").asText();
            laggards.remove(region);
            if (limiter.path("behind").asLong(1) != 0) {
                behind.add(region);
            }
        }
        laggards.addAll(behind);
        return laggards;
    }

    /** The loop delay of the slowest region, as the product states it: {@code p99} or {@code max} of the last minute. */
    double loopDelayMillis(String which) throws IOException, InterruptedException {
        double slowest = 0;
        for (JsonNode region : Http.json(request("/regions").GET()).path("items")) {
            slowest = Math.max(slowest, region.path("loop_delay_ms").path(which).asDouble());
        }
        return slowest;
    }

    private HttpRequest.Builder request(String path) {
        return Http.to(configService + "/admin/api/v1" + path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }
}
