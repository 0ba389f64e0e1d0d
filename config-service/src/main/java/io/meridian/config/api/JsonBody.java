package io.meridian.config.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.meridian.service.http.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser of request bodies: JSON in UTF-8, one value, no duplicate field, bounded in size and depth. */
final class JsonBody {
    /** The largest document; an entry has about ten thousand characters at most. */
    static final int BYTES_MAX = 256 << 10;

    private static final int DEPTH_MAX = 16;
    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(100)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonBody() {}

    static JsonNode read(InputStream body) {
        return read(body, BYTES_MAX);
    }

    static JsonNode read(InputStream body, int bytesMax) {
        try {
            byte[] bytes = body.readNBytes(bytesMax + 1);
            if (bytes.length > bytesMax) {
                throw Refusal.of(AdminErrorCode.BODY_TOO_LARGE, "the body must have at most " + bytesMax + " bytes");
            }
            return tree(text(bytes));
        } catch (IOException broken) {
            throw Refusal.of(AdminErrorCode.MALFORMED_BODY, "the body did not arrive whole");
        }
    }

    private static JsonNode tree(String text) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (tree.isMissingNode()) {
                throw Refusal.of(AdminErrorCode.MALFORMED_BODY, "the body must be JSON, and there is none");
            }
            return tree;
        } catch (JsonProcessingException malformed) {
            throw Refusal.of(
                    AdminErrorCode.MALFORMED_BODY,
                    "the body must be JSON: " + Redaction.text(malformed.getOriginalMessage()));
        }
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw Refusal.of(AdminErrorCode.MALFORMED_BODY, "the body must be UTF-8");
        }
    }

    /** Refuses a document that is no object, and names fields that are not known. */
    static void requireFields(JsonNode document, String what, Set<String> known) {
        if (!document.isObject()) {
            throw Refusal.of(AdminErrorCode.MALFORMED_BODY, what + " must be an object, got " + document.getNodeType());
        }
        List<String> unknown = new ArrayList<>();
        document.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                unknown.add(name);
            }
        });
        if (!unknown.isEmpty()) {
            throw Refusal.of(AdminErrorCode.UNKNOWN_FIELD, what + " has no field " + String.join(", ", unknown));
        }
    }
}
