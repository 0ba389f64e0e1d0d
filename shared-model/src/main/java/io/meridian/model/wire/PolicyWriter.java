package io.meridian.model.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Choice;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Counting;
import io.meridian.model.policy.EndpointCost;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Revision;
import io.meridian.model.policy.Selector;
import java.util.Collection;

/** Writes a policy whole, defaults included, in one order of fields, so that equal policies have equal texts. */
final class PolicyWriter {
    private PolicyWriter() {}

    static ObjectNode write(Policy policy, ObjectNode json) {
        json.put("id", policy.id());
        json.put("name", policy.name());
        json.put("description", policy.description());
        writeSelector(policy.appliesTo(), json.putObject("applies_to"));
        writeAll(policy.key().parts(), json.putArray("key"));
        writeCounting(policy.counting(), json);
        writeCoordination(policy.coordination(), json);
        writeEnforcement(policy.enforcement(), json);
        json.put("priority", policy.priority());
        json.put("enabled", policy.enabled());
        writeRevision(policy.revision(), json);
        return json;
    }

    private static void writeSelector(Selector selector, ObjectNode json) {
        writeAll(selector.endpoints(), json.putArray("endpoints"));
        writeAll(selector.methods(), json.putArray("methods"));
        writeAll(selector.tiers(), json.putArray("tiers"));
        ObjectNode headers = json.putObject("headers");
        selector.headers().forEach(headers::put);
        writeAll(selector.regions(), json.putArray("regions"));
    }

    private static void writeCounting(Counting counting, ObjectNode json) {
        json.put("algorithm", counting.algorithm().text());
        json.put("limit", counting.limit());
        json.put("window", counting.window().toString());
        json.put("burst", counting.burst());
        json.put("cost", counting.cost());
        ArrayNode costs = json.putArray("endpoint_costs");
        for (EndpointCost cost : counting.costs()) {
            costs.addObject()
                    .put("endpoint", cost.endpoint().text())
                    .put("method", cost.method())
                    .put("cost", cost.cost());
        }
    }

    private static void writeCoordination(Coordination coordination, ObjectNode json) {
        json.put("scope", Choice.text(coordination.scope()));
        json.put("mode", Choice.text(coordination.mode()));
        json.put("on_exhausted", coordination.onExhausted().toString());
        json.put("floor_percent", coordination.floorPercent());
        json.put("after_heal", Choice.text(coordination.afterHeal()));
    }

    private static void writeEnforcement(Enforcement enforcement, ObjectNode json) {
        json.put("action", Choice.text(enforcement.action()));
        json.put("soft_limit_percent", enforcement.softLimitPercent());
        json.put("on_failure", Choice.text(enforcement.onFailure()));
        json.put("adaptive", enforcement.adaptive());
    }

    private static void writeRevision(Revision revision, ObjectNode json) {
        json.put("version", revision.version());
        if (revision.version() > 0) {
            json.put("created_at", revision.createdAt().toString());
            json.put("updated_at", revision.updatedAt().toString());
        }
    }

    private static void writeAll(Collection<?> values, ArrayNode array) {
        values.forEach(value -> array.add(value.toString()));
    }
}
