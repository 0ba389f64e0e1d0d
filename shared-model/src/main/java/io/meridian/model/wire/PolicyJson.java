package io.meridian.model.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meridian.model.policy.Policy;
import io.meridian.model.rule.InvalidException;

/**
 * Policies as JSON: the form of the API and of files. Reading is strict: a field that does not exist is a
 * {@link MalformedException}, and everything else that is wrong is in one {@link InvalidException}.
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
        return PolicyWriter.write(policy, MAPPER.createObjectNode());
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
}
