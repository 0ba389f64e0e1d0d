package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * JSON of the API, read and written token by token and bounded. A value of the wrong type is refused by its field's name; null is
 * absent. Names of fields are not interned and collisions of their hashes are borne, because callers choose the names of attributes.
 */
public final class ApiJson {
    static final int DEPTH_MAX = 8;
    static final int TEXT_MAX = 262_144;
    static final int NAME_MAX = 16_384;
    static final int NUMBER_MAX = 100;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .rootValueSeparator("")
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

    /** Bound: one for each thread that answers, so as many as event loops. */
    private static final ThreadLocal<Writer> WRITERS = ThreadLocal.withInitial(Writer::new);

    private ApiJson() {}

    static JsonParser parser(byte[] body) throws IOException {
        return FACTORY.createParser(body);
    }

    /** The bytes that a document comes to. Writing to memory cannot fail. */
    public static byte[] write(Document document) {
        boolean written = false;
        try {
            byte[] bytes = WRITERS.get().write(document);
            written = true;
            return bytes;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            if (!written) {
                // Its generator may be within a document.
                WRITERS.remove();
            }
        }
    }

    /** Generator of one thread, kept with its buffers, because to make one costs as much as a small document. */
    private static final class Writer {
        private final BodySink sink = new BodySink();
        private final JsonGenerator json;

        Writer() {
            try {
                json = FACTORY.createGenerator(sink);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        byte[] write(Document document) throws IOException {
            document.write(json);
            json.flush();
            return sink.take();
        }
    }

    /** Writer of one document. */
    public interface Document {
        void write(JsonGenerator json) throws IOException;
    }

    /** The text that follows, or null if there is a null. */
    static @Nullable String nextText(JsonParser json, String path, String field) throws IOException {
        String text = json.nextTextValue();
        if (text != null || json.currentToken() == JsonToken.VALUE_NULL) {
            return text;
        }
        throw wrongType(json, path + field, "must be a text");
    }

    /** The whole number that follows, or {@code absent} if there is a null. */
    static long nextNumber(JsonParser json, String path, String field, long absent) throws IOException {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return absent;
        }
        if (token == JsonToken.VALUE_NUMBER_INT && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            return json.getLongValue();
        }
        throw wrongType(json, path + field, "must be a whole number of at most 64 bits");
    }

    static ProblemException wrongType(JsonParser json, String field, String rule) throws IOException {
        return ProblemException.of(ErrorCode.WRONG_TYPE, field, shown(json), rule);
    }

    static ProblemException unknown(String field) {
        return ProblemException.of(ErrorCode.UNKNOWN_FIELD, "field " + Redaction.value(field) + " does not exist");
    }

    static ProblemException duplicate(String field) {
        return ProblemException.of(ErrorCode.DUPLICATE_FIELD, "field " + Redaction.value(field) + " is given twice");
    }

    /** The value at hand as an answer repeats it. */
    static String shown(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return "an object";
        }
        return token == JsonToken.START_ARRAY ? "a list" : Redaction.value(String.valueOf(json.getText()));
    }

    static String position(JsonParser json) {
        return position(json.currentTokenLocation());
    }

    static String reason(IOException malformed) {
        if (malformed instanceof JsonProcessingException where) {
            JsonLocation location = where.getLocation();
            return Redaction.value(where.getOriginalMessage()) + (location == null ? "" : position(location));
        }
        return "it is in no encoding of Unicode";
    }

    private static String position(JsonLocation at) {
        return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Sink of a generator. Most answers come in one piece, which is copied once and no larger than it is. */
    static final class BodySink extends OutputStream {
        private static final byte[] NONE = new byte[0];
        private byte[] bytes = NONE;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) {
            if (bytes.length == 0) {
                bytes = Arrays.copyOfRange(source, offset, offset + length);
            } else {
                int start = bytes.length;
                bytes = Arrays.copyOf(bytes, start + length);
                System.arraycopy(source, offset, bytes, start, length);
            }
        }

        byte[] take() {
            byte[] taken = bytes;
            bytes = NONE;
            return taken;
        }
    }
}
