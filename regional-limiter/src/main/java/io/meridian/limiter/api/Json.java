package io.meridian.limiter.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * JSON as this API reads and writes it, token by token and bounded. Names of fields are not interned and collisions of
 * their hashes are borne, because callers choose the names of attributes.
 */
final class Json {
    static final int DEPTH_MAX = 8;
    static final int TEXT_MAX = 262_144;
    static final int NAME_MAX = 16_384;
    static final int NUMBER_MAX = 100;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxStringLength(TEXT_MAX)
                    .maxNameLength(NAME_MAX)
                    .maxNumberLength(NUMBER_MAX)
                    .build())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
            .build();

    private Json() {}

    static JsonParser parser(byte[] body) throws IOException {
        return FACTORY.createParser(body);
    }

    /** The bytes that a document comes to. Writing to memory cannot fail. */
    static byte[] write(Document document) {
        BodySink sink = new BodySink();
        try (JsonGenerator json = FACTORY.createGenerator(sink)) {
            document.write(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return sink.bytes();
    }

    /** Something that writes itself. */
    interface Document {
        void write(JsonGenerator json) throws IOException;
    }
}
