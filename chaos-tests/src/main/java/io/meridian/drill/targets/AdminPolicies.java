package io.meridian.drill.targets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.drill.definition.DurationText;
import io.meridian.drill.history.Subject;
import io.meridian.drill.load.CheckClient.CheckRequest;
import io.meridian.drill.targets.DrillTarget.Policies;
import io.meridian.drill.targets.DrillTarget.Policies.Loop;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Policies by the admin API of the config service. */
public record AdminPolicies(String configService, String token, Set<String> regions) implements Policies {
    public AdminPolicies {
        regions = Set.copyOf(regions);
    }

    @Override
    public void create(Subject subject) throws IOException, InterruptedException {
        HttpCalls.call(request("/policies").POST(HttpCalls.text(body(subject).toString())));
    }

    private static ObjectNode body(Subject subject) {
        boolean regional = subject.sharing() == Subject.Sharing.REGIONAL;
        ObjectNode policy = JsonNodeFactory.instance
                .objectNode()
                .put("id", subject.policy())
                .put("description", "Created by a drill, which removes it at its end")
                .put("algorithm", "fixed_window")
                .put("limit", subject.limit())
                .put("window", DurationText.of(subject.window()))
                .put("scope", regional ? "regional" : "global")
                .put("mode", regional ? "converge" : subject.sharing().name().toLowerCase(Locale.ROOT))
                .put("on_exhausted", "deny")
                .put("on_failure", "local");
        policy.putObject("applies_to").putArray("endpoints").add(CheckRequest.endpoint(subject));
        policy.putArray("key").add(CheckRequest.attribute(subject));
        return policy;
    }

    @Override
    public void remove(Subject subject) throws IOException, InterruptedException {
        HttpCalls.call(request("/policies/" + subject.policy()).DELETE());
    }

    @Override
    public Set<String> laggards() throws IOException, InterruptedException {
        Set<String> laggards = new HashSet<>(regions);
        Set<String> behind = new HashSet<>();
        for (JsonNode item : items()) {
            String region = item.path("region").asText();
            laggards.remove(region);
            if (item.path("behind").asLong(1) != 0) {
                behind.add(region);
            }
        }
        laggards.addAll(behind);
        laggards.retainAll(regions);
        return laggards;
    }

    @Override
    public List<Loop> loops() throws IOException, InterruptedException {
        List<Loop> loops = new ArrayList<>();
        for (JsonNode item : items()) {
            JsonNode delay = item.path("loop_delay_ms");
            loops.add(new Loop(
                    item.path("region").asText(),
                    delay.path("p99").asDouble(Double.NaN),
                    delay.path("max").asDouble(Double.NaN),
                    item.path("centre_silent_ms").asDouble(Double.NaN)));
        }
        return loops;
    }

    private JsonNode items() throws IOException, InterruptedException {
        return HttpCalls.json(request("/regions").GET()).path("items");
    }

    private HttpRequest.Builder request(String path) {
        return HttpCalls.to(configService + "/admin/api/v1" + path)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
    }
}
