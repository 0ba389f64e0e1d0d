package io.meridian.limiter;

import io.netty.channel.Channel;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.shutdown.ShutdownConfig;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closing of the listening sockets some time before a stopping instance ends its connections. The server would close both at once,
 * and a request that had just come in would get no answer; a client that cannot connect knows that nobody has taken its request.
 * From then on each connection ends with its next answer, which says so.
 */
@Singleton
class ListenerDrain {
    /** Before everything that may answer. */
    private static final int ORDER = -1_000;
    /** Longest time for calls in progress before connections end, unless the framework waits for their answers anyway. */
    private static final Duration BEFORE_THE_END = Duration.ofMillis(500);

    private final Vertx vertx;
    private final ShutdownConfig config;
    /** As many as there are ports. */
    private final Set<Channel> doors = ConcurrentHashMap.newKeySet();

    private @Nullable Router router;
    private volatile boolean closed;

    ListenerDrain(Vertx vertx, ShutdownConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    void install(@Observes Router observed) {
        router = observed;
    }

    /** Schedules the closing of the listening sockets that receive requests from now on. An idle socket needs no closing. */
    void leave(@Observes ShutdownDelayInitiatedEvent event) {
        if (router != null && config.isDelayEnabled()) {
            router.route().order(ORDER).handler(this::cameIn);
            long openMillis = config.delay().orElseThrow().minus(BEFORE_THE_END).toMillis();
            vertx.setTimer(Math.max(1, openMillis), ignored -> close());
        }
    }

    private void close() {
        closed = true;
        for (Channel door : doors) {
            // Nobody waits for it: the process ends soon.
            var unused = door.close();
        }
    }

    private void cameIn(RoutingContext call) {
        if (call.request().connection() instanceof ConnectionBase connection
                && connection.channel().parent() != null) {
            doors.add(connection.channel().parent());
        }
        if (closed) {
            endConnection(call);
        }
        call.next();
    }

    /** A client that sends another request while the server ends the connection cannot know whether it was taken, so it is told before. */
    private static void endConnection(RoutingContext call) {
        if (call.request().version() == HttpVersion.HTTP_2) {
            // GOAWAY, which lets the calls under way come to their answers; the header of HTTP/1 is malformed here.
            var unused = call.request().connection().shutdown(BEFORE_THE_END.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            call.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            call.addEndHandler(answered -> call.request().connection().close());
        }
    }
}
