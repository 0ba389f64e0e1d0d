package io.meridian.model.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Coordination;
import io.meridian.model.policy.Enforcement;
import io.meridian.model.policy.LimitSpec;
import io.meridian.model.policy.LimitSpec.EndpointCost;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Policy.Revision;
import io.meridian.model.policy.Selector;
import io.meridian.model.validation.EnumNames;
import io.meridian.model.validation.ValidationException;
import java.util.Collection;

/**
 * Policies as JSON: the form of the API and of files, and with a version that of records. Reading the former is strict: a field that does not
 * exist is a {@link MalformedException}, and everything else that is wrong is in one {@link ValidationException}.
 */
public final class PolicyJson {
    private static final int DEPTH_MAX = 16;
    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private PolicyJson() {}

    public static Policy read(String json) {
        return read(tree(json));
    }

    /** Reads a document that may have come as YAML. */
    public static Policy read(JsonNode document) {
        return PolicyReader.read(document, true);
    }

    public static ObjectNode toJson(Policy policy) {
        return write(policy, MAPPER.createObjectNode());
    }

    public static String write(Policy policy) {
        return toJson(policy).toString();
    }

    static JsonNode tree(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new MalformedException("must be JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }

    /** Writes a policy whole, defaults included, in one order of fields, so that equal policies have equal texts. */
    private static ObjectNode write(Policy policy, ObjectNode json) {
        json.put("id", policy.id());
        json.put("name", policy.name());
        json.put("description", policy.description());
        writeSelector(policy.appliesTo(), json.putObject("applies_to"));
        writeAll(policy.key().parts(), json.putArray("key"));
        writeLimitSpec(policy.limitSpec(), json);
        writeCoordination(policy.coordination(), json);
        writeEnforcement(policy.enforcement(), json);
        json.put("priority", policy.priority());
        json.put("enabled", policy.enabled());
        json.put("protected", policy.isProtected());
        writeRevision(policy.revision(), json);
        return json;
    }

    private static void writeSelector(Selector selector, ObjectNode json) {
        writeAll(selector.endpoints(), json.putArray("endpoints"));
        writeAll(selector.methods(), json.putArray("methods"));
        writeAll(selector.tiers(), json.putArray("tiers"));
        ObjectNode headers = json.putObject("headers");
        selector.headers().forEach(headers::put);
        ObjectNode attributes = json.putObject("attributes");
        selector.attributes().forEach((name, values) -> writeAll(values, attributes.putArray(name)));
        writeAll(selector.regions(), json.putArray("regions"));
    }

    private static void writeLimitSpec(LimitSpec limitSpec, ObjectNode json) {
        json.put("algorithm", limitSpec.algorithm().text());
        json.put("limit", limitSpec.limit());
        json.put("window", limitSpec.window().toString());
        json.put("burst", limitSpec.burst());
        json.put("cost", limitSpec.cost());
        ArrayNode costs = json.putArray("endpoint_costs");
        for (EndpointCost cost : limitSpec.costs()) {
            costs.addObject()
                    .put("endpoint", cost.endpoint().text())
                    .put("method", cost.method())
                    .put("cost", cost.cost());
        }
    }

    private static void writeCoordination(Coordination coordination, ObjectNode json) {
        json.put("scope", EnumNames.text(coordination.scope()));
        json.put("mode", EnumNames.text(coordination.mode()));
        json.put("on_exhausted", coordination.onExhausted().toString());
        json.put("floor_percent", coordination.floorPercent());
        json.put("after_heal", EnumNames.text(coordination.afterHeal()));
    }

    private static void writeEnforcement(Enforcement enforcement, ObjectNode json) {
        json.put("action", EnumNames.text(enforcement.action()));
        json.put("soft_limit_percent", enforcement.softLimitPercent());
        json.put("on_failure", EnumNames.text(enforcement.onFailure()));
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

    /**
     * The policy as a record: its JSON with the version of the format first. Fields that came after version 1 are left out where they have
     * their default, so that the record of an older policy stays the same, and an upgrade publishes nothing again.
     */
    public static String encode(Policy policy) {
        ObjectNode record = write(policy, JsonFields.newRecord());
        if (policy.appliesTo().attributes().isEmpty()) {
            record.withObjectProperty("applies_to").remove("attributes");
        }
        if (!policy.isProtected()) {
            record.remove("protected");
        }
        return record.toString();
    }

    /**
     * The policy of a record. Unlike the API, it ignores fields that it does not know, so that during an upgrade an older process goes on with
     * what it does know.
     */
    public static Policy decode(String text) {
        return PolicyReader.read(JsonFields.record("policy", text), false);
    }
}
