package io.meridian.bench.load;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.time.Duration;

/** As much as the server takes: every connection sends its next request when it has the answer to its last. */
public final class ClosedLoop {
    private static final long SILENCE_MAX_MILLIS = 10_000;

    private final Connections connections;
    private final Load load;
    private final TimeSource time;
    private final Statuses statuses = new Statuses();
    private long left;
    private long endNanos;
    private long underWay;

    private ClosedLoop(Connections connections, Load load, TimeSource time) {
        this.connections = connections;
        this.load = load;
        this.time = time;
    }

    /** Sends until either bound is reached, and waits for the last answers. */
    public static Throughput run(Connections connections, Load load, long requestsMax, Duration atMost, TimeSource time)
            throws IOException {
        return new ClosedLoop(connections, load, time).run(requestsMax, atMost);
    }

    private Throughput run(long requestsMax, Duration atMost) throws IOException {
        long beganNanos = time.monotonicNanos();
        left = requestsMax;
        endNanos = beganNanos + atMost.toNanos();
        for (Exchange exchange : connections.all()) {
            sendNext(exchange);
        }
        while (underWay > 0) {
            if (connections.await(SILENCE_MAX_MILLIS, this::answered) == 0) {
                throw new IllegalStateException(
                        load.name() + ": no answer to " + underWay + " requests for " + SILENCE_MAX_MILLIS + " ms");
            }
        }
        statuses.requireAllAllowed(load.name());
        return new Throughput(statuses.total(), time.monotonicNanos() - beganNanos);
    }

    private void answered(Exchange exchange, int status) throws IOException {
        underWay--;
        statuses.count(status);
        sendNext(exchange);
    }

    private void sendNext(Exchange exchange) throws IOException {
        long nowNanos = time.monotonicNanos();
        if (left > 0 && nowNanos < endNanos) {
            left--;
            underWay++;
            exchange.send(load, nowNanos);
        }
    }
}
