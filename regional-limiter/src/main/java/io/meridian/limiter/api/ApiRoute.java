package io.meridian.limiter.api;

import io.meridian.limiter.http.ErrorCode;
import io.meridian.limiter.http.HttpAnswer;
import io.meridian.service.http.Problem;
import io.meridian.service.http.ProblemException;
import io.meridian.service.http.Redaction;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Route of a frequent call on Quarkus' router, in place of a quarkus-rest resource: the body is read and the answer written on the event
 * loop of the connection. One path has one method; HEAD is answered like GET, OPTIONS names the methods, and any other is refused with 405.
 *
 * <p>Bound: a body of more than {@code bytesMax} bytes is refused with 413 unread, and its connection is closed.
 */
final class ApiRoute implements Handler<RoutingContext> {
    /** Right after the gate, before the framework's handlers for calls that it reads itself. */
    private static final int ORDER = -9;

    /** Name under which Quarkus' metrics look for a request's template; without it, another spelling of the path is a tag value. */
    private static final String TEMPLATE = "UrlPathTemplate";

    private final HttpMethod method;
    private final String path;
    private final String template;
    private final int bytesMax;
    private final Call call;
    private final ProblemMapper problems;

    private ApiRoute(HttpMethod method, String path, int bytesMax, Call call, ProblemMapper problems) {
        this.method = method;
        this.path = path;
        this.template = path.replaceAll(":(\\w+)", "{$1}");
        this.bytesMax = bytesMax;
        this.call = call;
        this.problems = problems;
    }

    /** Call of the API. What it throws and what its answer fails with becomes a problem document. */
    interface Call {
        /**
         * Begins the call.
         *
         * @param body empty at GET
         */
        CompletionStage<HttpAnswer> answer(RoutingContext routed, byte[] body);
    }

    /** Installer of routes that share a router, a bound of bodies and the mapping of failures. A path may have parameters, like {@code :id}. */
    record Routes(Router router, int bytesMax, ProblemMapper problems) {
        Routes get(String path, Call call) {
            return add(HttpMethod.GET, path, call);
        }

        Routes post(String path, Call call) {
            return add(HttpMethod.POST, path, call);
        }

        private Routes add(HttpMethod method, String path, Call call) {
            router.route(path).order(ORDER).handler(new ApiRoute(method, path, bytesMax, call, problems));
            return this;
        }
    }

    @Override
    public void handle(RoutingContext routed) {
        HttpServerRequest request = routed.request();
        if (!path.equals(request.path())) {
            ((HttpServerRequestInternal) request).context().putLocal(TEMPLATE, template);
        }
        HttpMethod asked = request.method();
        if (asked.equals(HttpMethod.POST) && method.equals(HttpMethod.POST)) {
            new BodyReader(routed).read();
        } else if (method.equals(HttpMethod.GET) && (asked.equals(HttpMethod.GET) || asked.equals(HttpMethod.HEAD))) {
            answer(routed, new byte[0]);
        } else if (asked.equals(HttpMethod.OPTIONS)) {
            routed.response()
                    .putHeader(HttpHeaderNames.ALLOW, ProblemMapper.allowed(path))
                    .end();
        } else {
            String detail = asked + " " + Redaction.text(String.valueOf(request.path()));
            fail(
                    routed,
                    new ProblemException(new Problem(
                            ErrorCode.METHOD_NOT_ALLOWED, ErrorCode.METHOD_NOT_ALLOWED.status(), detail, List.of())));
        }
    }

    private void answer(RoutingContext routed, byte[] body) {
        CompletionStage<HttpAnswer> answer;
        try {
            answer = call.answer(routed, body);
        } catch (RuntimeException failure) {
            fail(routed, failure);
            return;
        }
        answer.whenComplete((done, failure) -> {
            if (done == null) {
                fail(routed, failure);
            } else {
                write(routed, done);
            }
        });
    }

    /** An answer that cannot be written must not leave its caller waiting. */
    private void write(RoutingContext routed, HttpAnswer answer) {
        try {
            answer.writeTo(routed.response());
        } catch (RuntimeException failure) {
            fail(routed, failure);
        }
    }

    private void fail(RoutingContext routed, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Throwable known = cause == null ? new IllegalStateException("a call came to no answer") : cause;
        problems.answer(known, routed.request()).writeTo(routed.response());
    }

    /** Reader of one body. A small one arrives as one buffer and is copied once; a caller that leaves gets no answer. */
    private final class BodyReader implements Handler<Buffer> {
        private final RoutingContext routed;
        private @Nullable Buffer read;
        private boolean refused;

        BodyReader(RoutingContext routed) {
            this.routed = routed;
        }

        /** Paused, so that nothing arrives before all handlers are set. */
        void read() {
            HttpServerRequest request = routed.request();
            request.pause();
            request.handler(this);
            request.endHandler(this::ended);
            request.resume();
        }

        @Override
        public void handle(Buffer part) {
            if (refused) {
                return;
            }
            Buffer before = read;
            int length = part.length() + (before == null ? 0 : before.length());
            if (length > bytesMax) {
                refused = true;
                fail(routed, ProblemException.of(ErrorCode.BODY_TOO_LARGE, "the body is larger than any that is read"));
            } else if (before == null) {
                read = part;
            } else {
                read = before.appendBuffer(part);
            }
        }

        private void ended(Void unused) {
            if (!refused) {
                answer(routed, read == null ? new byte[0] : read.getBytes());
            }
        }
    }
}
