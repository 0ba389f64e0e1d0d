package io.meridian.limiter.api;

import io.vertx.core.http.HttpServerResponse;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.common.types.AllWriteableMarker;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** Lets an answer write itself. Status and headers are the answer's own, so the framework is told to add none. */
@Provider
@Produces(MediaType.APPLICATION_JSON)
class AnswerWriter implements ServerMessageBodyWriter<Answer>, AllWriteableMarker {
    @Override
    public boolean isWriteable(Class<?> type, Type generic, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return true;
    }

    @Override
    public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType mediaType) {
        return type == Answer.class;
    }

    @Override
    public void writeResponse(Answer answer, Type type, ServerRequestContext context) {
        context.serverResponse().setPreCommitListener(null);
        answer.writeTo(
                ((ResteasyReactiveRequestContext) context).serverRequest().unwrap(HttpServerResponse.class));
    }

    /** Only where an interceptor stands between, which has then set status and headers itself. */
    @Override
    public void writeTo(
            Answer answer,
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
