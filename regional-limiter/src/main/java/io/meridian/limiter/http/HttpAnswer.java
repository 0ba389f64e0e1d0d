package io.meridian.limiter.http;

import io.meridian.service.http.Problem;
import io.netty.buffer.Unpooled;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jboss.resteasy.reactive.common.types.AllWriteableMarker;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** Answer to a call: status, headers and body. It writes itself, so that a decision passes no generic machinery on its way out. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpAnswer(int status, CharSequence contentType, HeaderList headers, byte[] body) {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    static final CharSequence PROBLEM = HttpHeaders.createOptimized(Problem.MEDIA_TYPE);

    public static HttpAnswer json(int status, byte[] body) {
        return new HttpAnswer(status, JSON, new HeaderList(), body);
    }

    /** The answer to a call of {@code path} that came to this problem. */
    public static HttpAnswer of(Problem problem, String path) {
        return new HttpAnswer(problem.status(), PROBLEM, new HeaderList(), problem.document(path, Map.of()));
    }

    public void writeTo(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status);
        MultiMap sent = response.headers();
        headers.writeTo(sent);
        if (body.length > 0) {
            sent.set(HttpHeaders.CONTENT_TYPE, contentType);
        }
        response.end(BufferImpl.buffer(Unpooled.wrappedBuffer(body)));
    }

    /** Headers of one answer, in order: few, so a flat array does. */
    public static final class HeaderList {
        private CharSequence[] namesAndValues = new CharSequence[16];
        private int size;

        public HeaderList add(CharSequence name, CharSequence value) {
            if (size == namesAndValues.length) {
                namesAndValues = Arrays.copyOf(namesAndValues, 2 * size);
            }
            namesAndValues[size++] = name;
            namesAndValues[size++] = value;
            return this;
        }

        public void forEach(BiConsumer<CharSequence, CharSequence> each) {
            for (int i = 0; i < size; i += 2) {
                each.accept(namesAndValues[i], namesAndValues[i + 1]);
            }
        }

        List<String> names() {
            return IntStream.range(0, size / 2)
                    .mapToObj(i -> namesAndValues[2 * i].toString())
                    .toList();
        }

        void writeTo(MultiMap sent) {
            for (int i = 0; i < size; i += 2) {
                sent.set(namesAndValues[i], namesAndValues[i + 1]);
            }
        }
    }

    /**
     * Body writer of the framework that lets an answer write itself. Status and headers are the answer's own, so the framework is
     * told to add none.
     */
    @Provider
    @Produces(MediaType.APPLICATION_JSON)
    static class AnswerWriter implements ServerMessageBodyWriter<HttpAnswer>, AllWriteableMarker {
        @Override
        public boolean isWriteable(
                Class<?> type, Type generic, ResteasyReactiveResourceInfo target, MediaType mediaType) {
            return true;
        }

        @Override
        public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
            return type == HttpAnswer.class;
        }

        @Override
        public void writeResponse(HttpAnswer answer, Type type, ServerRequestContext context) {
            context.serverResponse().setPreCommitListener(null);
            answer.writeTo(
                    ((ResteasyReactiveRequestContext) context).serverRequest().unwrap(HttpServerResponse.class));
        }

        /** Only where an interceptor stands between, which has then set status and headers itself. */
        @Override
        public void writeTo(
                HttpAnswer answer,
                Class<?> type,
                Type generic,
                Annotation[] annotations,
                MediaType mediaType,
                MultivaluedMap<String, Object> headers,
                OutputStream out)
                throws IOException {
            out.write(answer.body());
        }
    }
}
