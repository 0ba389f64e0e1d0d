package io.meridian.chaos.drill.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * What a limiter answered to a check.
 *
 * @param windowEndMicros names the window that was charged, or that was found full
 * @param degraded whether the region had to do without its Redis, so that nobody else knows of the request
 */
public record Answer(boolean allowed, long windowEndMicros, boolean degraded) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ALLOWED = 200;
    private static final int DENIED = 429;

    /** Refuses what is no decision about the policy: that is a failed check. */
    public static Answer of(String policy, int status, String body) {
        if (status != ALLOWED && status != DENIED) {
            throw new IllegalArgumentException("status " + status);
        }
        JsonNode answer = parsed(body);
        for (JsonNode limit : answer.path("limits")) {
            if (limit.path("policy").asText().equals(policy)) {
                return new Answer(
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
            throw new IllegalArgumentException("no JSON", malformed);
        }
    }

    private static long micros(String instant) {
        return TimeUnit.SECONDS.toMicros(Instant.parse(instant).getEpochSecond());
    }
}
