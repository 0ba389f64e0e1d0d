package io.meridian.bench.load;

import io.meridian.model.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at their own times, however slow the answers are. A latency counts from when the request was due, not from when a
 * connection was free for it: a server that stalls is charged for all who would have waited.
 */
public final class OpenLoop {
    private static final long SEED = 20_260_101L;
    private static final long OVERDUE_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = 20_000;

    private final Connections connections;
    private final Load load;
    private final TimeSource time;
    private final Deque<Exchange> free;
    private final Latencies latencies = new Latencies();
    private final Statuses statuses = new Statuses();

    private OpenLoop(Connections connections, Load load, TimeSource time) {
        this.connections = connections;
        this.load = load;
        this.time = time;
        this.free = new ArrayDeque<>(connections.all());
    }

    public static Latencies run(
            Connections connections, Load load, double perSecond, Duration duration, TimeSource time)
            throws IOException {
        return new OpenLoop(connections, load, time).run(new Schedule(perSecond, SEED), duration.toNanos());
    }

    private Latencies run(Schedule schedule, long durationNanos) throws IOException {
        long beganNanos = time.monotonicNanos();
        long dueNanos = schedule.nextNanos();
        while (dueNanos < durationNanos || free.size() < connections.all().size()) {
            long nowNanos = time.monotonicNanos() - beganNanos;
            if (nowNanos > durationNanos + OVERDUE_MAX_NANOS) {
                throw new IllegalStateException(load.name() + ": answers were overdue by " + OVERDUE_MAX_NANOS + " ns");
            }
            if (dueNanos < durationNanos && dueNanos <= nowNanos && !free.isEmpty()) {
                latencies.sentLate(nowNanos - dueNanos);
                free.removeFirst().send(load, beganNanos + dueNanos);
                dueNanos = schedule.nextNanos();
            } else if (connections.poll(this::answered) == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        statuses.requireAllAllowed(load.name());
        return latencies;
    }

    private void answered(Exchange exchange, int status) {
        statuses.count(status);
        latencies.answered(time.monotonicNanos() - exchange.dueNanos());
        free.addLast(exchange);
    }
}
