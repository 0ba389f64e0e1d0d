package io.meridian.limiter.http;

import io.meridian.service.http.ProblemException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** Bytes of a call's body, as they came. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BodyBytes(byte[] bytes) {

    /**
     * Body reader of the framework that takes the bytes. What the framework has not got in memory came in chunks and is larger than
     * anything we read: it would be read on a thread that waits for it, so it is refused unread.
     */
    @Provider
    @Consumes(MediaType.WILDCARD)
    static class BodyTaker implements ServerMessageBodyReader<BodyBytes> {
        @Override
        public boolean isReadable(
                Class<?> type, Type generic, ResteasyReactiveResourceInfo target, MediaType mediaType) {
            return true;
        }

        @Override
        public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
            return type == BodyBytes.class;
        }

        @Override
        public BodyBytes readFrom(
                Class<BodyBytes> type, Type generic, MediaType mediaType, ServerRequestContext context)
                throws IOException {
            return taken(context.getInputStream());
        }

        @Override
        public BodyBytes readFrom(
                Class<BodyBytes> type,
                Type generic,
                Annotation[] annotations,
                MediaType mediaType,
                MultivaluedMap<String, String> headers,
                InputStream in)
                throws IOException {
            return taken(in);
        }

        private static BodyBytes taken(InputStream in) throws IOException {
            if (in instanceof ByteArrayInputStream) {
                return new BodyBytes(in.readAllBytes());
            }
            throw ProblemException.of(ErrorCode.BODY_TOO_LARGE, "the body is larger than any that is read");
        }
    }
}
