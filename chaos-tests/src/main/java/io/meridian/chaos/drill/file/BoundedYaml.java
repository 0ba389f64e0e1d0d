package io.meridian.chaos.drill.file;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;

/** YAML, of which JSON is a part, within bounds: so deep, and no key twice. */
public final class BoundedYaml {
    private static final int DEPTH_MAX = 32;
    private static final ObjectMapper MAPPER = new ObjectMapper(YAMLFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private BoundedYaml() {}

    public static JsonNode read(byte[] text) throws IOException {
        return MAPPER.readTree(text);
    }
}
