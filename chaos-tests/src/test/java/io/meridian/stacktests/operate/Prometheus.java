package io.meridian.stacktests.operate;

import com.fasterxml.jackson.databind.JsonNode;
import io.meridian.drill.targets.HttpCalls;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A running Prometheus. */
record Prometheus(String address) {
    /** Whether a query has an answer that is a number. */
    boolean hasData(String expression) throws IOException, InterruptedException {
        String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        JsonNode data = HttpCalls.json(
                        HttpCalls.to(address + "/api/v1/query?query=" + query).GET())
                .path("data");
        if (data.path("resultType").asText().equals("scalar")) {
            return true;
        }
        for (JsonNode series : data.path("result")) {
            if (!series.path("value").path(1).asText().equals("NaN")) {
                return true;
            }
        }
        return false;
    }

    /** Rules that were not evaluated, or not without an error, by name. */
    List<String> ailingRules() throws IOException, InterruptedException {
        List<String> ailing = new ArrayList<>();
        JsonNode groups = HttpCalls.json(HttpCalls.to(address + "/api/v1/rules").GET())
                .path("data")
                .path("groups");
        for (JsonNode group : groups) {
            for (JsonNode rule : group.path("rules")) {
                if (!rule.path("health").asText().equals("ok")) {
                    ailing.add(rule.path("name").asText() + " "
                            + rule.path("lastError").asText());
                }
            }
        }
        return groups.isEmpty() ? List.of("there are no rules") : ailing;
    }
}
