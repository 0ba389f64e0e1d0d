package io.meridian.limiter.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * JSON of the API, read and written token by token and bounded. Names of fields are not interned and collisions of their hashes are
 * borne, because callers choose the names of attributes.
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
