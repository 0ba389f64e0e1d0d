package io.meridian.limiter.decide;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.model.match.Check;
import io.meridian.model.policy.EndpointPath;
import java.util.List;
import java.util.Map;

/** A reservation as the region's store keeps it: the check, the policies that charged it, and when. */
record ReservationRecord(Check check, List<String> policies, long takenMicros) {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    record Stored(
            Map<String, String> attributes,
            String endpoint,
            String method,
            Map<String, String> headers,
            long cost,
            List<String> policies,
            long taken) {}

    String write() {
        try {
            return MAPPER.writeValueAsString(new Stored(
                    check.attributes(),
                    EndpointPath.text(check.segments()),
                    check.method(),
                    check.headers(),
                    check.cost(),
                    policies,
                    takenMicros));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("numbers and texts can be written", impossible);
        }
    }

    static ReservationRecord read(String text) {
        try {
            Stored stored = MAPPER.readValue(text, Stored.class);
            Check check = new Check(stored.attributes, stored.endpoint, stored.method, stored.headers, "", stored.cost);
            return new ReservationRecord(check, stored.policies, stored.taken);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("a reservation of another version", malformed);
        }
    }
}
