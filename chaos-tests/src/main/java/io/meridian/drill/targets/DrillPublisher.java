package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;

/** Publisher of drills to the config service of a target, which shows them to everybody who may read there. */
public record DrillPublisher(String configService, String token) {
    /** A page of megabytes, and a service that was restarted by the drill. */
    private static final Duration PUBLISHED_WITHIN = Duration.ofSeconds(30);

    private static final String PATH = "/admin/api/v1/drills";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Publishes a drill in the form of the admin API, and returns the address of its page, or its own if it has none. */
    public String publish(JsonNode drill) throws IOException, InterruptedException {
        String answer = HttpCalls.call(HttpCalls.to(configService + PATH)
                .timeout(PUBLISHED_WITHIN)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpCalls.text(drill.toString())));
        JsonNode published = JSON.readTree(answer);
        String own = PATH + "/" + published.path("id").asText();
        return configService
                + (published.hasNonNull("report") ? published.path("report").asText() : own);
    }
}
