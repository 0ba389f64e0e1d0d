package io.meridian.limiter.api;

import io.meridian.service.http.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/** What goes back to a caller. It writes itself, so that a decision passes no generic machinery on its way out. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Answer(int status, CharSequence contentType, HeaderList headers, byte[] body) {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    static final CharSequence PROBLEM = HttpHeaders.createOptimized(Problem.MEDIA_TYPE);

    static Answer json(int status, byte[] body) {
        return new Answer(status, JSON, new HeaderList(), body);
    }

    /** The answer to a call of {@code path} that came to this. */
    static Answer of(Problem problem, String path) {
        return new Answer(problem.status(), PROBLEM, new HeaderList(), problem.document(path, Map.of()));
    }

    void writeTo(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(status);
        headers.writeTo(response);
        if (body.length > 0) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        }
        response.end(Buffer.buffer(body));
    }
}
