package io.meridian.testkit.load;

import io.meridian.model.time.TimeSource;
import io.meridian.testkit.load.KeptConnection.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Load generator for HTTP on this machine: one thread over kept connections, with little work per request, so that it takes little from what
 * it measures. Each client has at most one request under way.
 *
 * <p>In a closed loop every client sends its next request when it has the answer to its last. In an open loop requests have times of their
 * own, however slow the answers are, and a latency counts from when the request was due, not from when a client was free for it: a server
 * that stalls is charged for all who would have waited.
 */
public final class LoadGenerator implements AutoCloseable {
    /** Bounds a load that runs until it is stopped. */
    public static final long REQUESTS_MAX = 5_000_000;

    private static final long SEED = 20_260_101L;
    /** So long nothing came: every request under way counts as failed. */
    private static final long SILENCE_MAX_MILLIS = 60_000;

    private static final long STOP_LOOK_MILLIS = 100;
    private static final long OVERDUE_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NANOS = 20_000;
    private static final long CONNECT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final TimeSource time;
    private final Selector selector;
    private final List<Client> clients = new ArrayList<>();
    private final Deque<Client> free = new ArrayDeque<>();

    private LoadGenerator(Selector selector, int clients, TimeSource time) {
        this.selector = selector;
        this.time = time;
        for (int i = 0; i < clients; i++) {
            this.clients.add(new Client());
        }
    }

    /** Connections are opened when they are first needed, and kept over the runs. */
    public static LoadGenerator of(int clients, TimeSource time) throws IOException {
        if (clients < 1) {
            throw new IllegalArgumentException("clients must be positive, got " + clients);
        }
        return new LoadGenerator(Selector.open(), clients, time);
    }

    /** Sends {@code count} requests in a closed loop, and returns when all were answered or have failed. */
    public static LoadResult run(int clients, long count, Workload workload) throws IOException {
        try (LoadGenerator generator = of(clients, TimeSource.system())) {
            return generator.closed(workload, count, Duration.ofDays(1));
        }
    }

    /** Begins a closed loop on a thread of its own, until {@link Running#stop}. */
    public static Running start(int clients, Workload workload) throws IOException {
        return new Running(of(clients, TimeSource.system()), workload);
    }

    /** Sends in a closed loop until either bound is reached, and waits for the last answers. */
    public LoadResult closed(Workload workload, long requestsMax, Duration atMost) throws IOException {
        return new Loop(workload, new LoadResult(workload.name()), new ClosedPacing(requestsMax, atMost.toNanos()))
                .run();
    }

    /** Sends in an open loop, at exponential gaps as of independent callers, and waits for the last answers. */
    public LoadResult open(Workload workload, double perSecond, Duration duration) throws IOException {
        OpenPacing pacing = new OpenPacing(new PoissonSchedule(perSecond, SEED), duration.toNanos());
        return new Loop(workload, new LoadResult(workload.name()), pacing).run();
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            for (KeptConnection connection : client.kept.values()) {
                connection.close();
            }
        }
        selector.close();
    }

    /** One caller with its connections, one to each server. */
    static final class Client {
        private final Map<InetSocketAddress, KeptConnection> kept = new HashMap<>();
        private @Nullable KeptConnection underWay;
        private long dueNanos;
    }

    /** Times at which requests are due; nanoseconds from the start of the loop. */
    private interface Pacing {
        long NOT_YET = Long.MAX_VALUE;

        /** Takes the next request's due time if it has come, else {@link #NOT_YET}. */
        long takeDue(long nowNanos);

        /** Whether no further request comes due. */
        boolean isOver(long nowNanos);

        /** Milliseconds for which the generator may wait for answers before it looks at the pacing again; 0 to poll. */
        long waitMillis();

        /** When the load is a failure as a whole because answers are still missing. */
        long giveUpNanos();
    }

    private static final class ClosedPacing implements Pacing {
        private final long endNanos;
        private long left;
        private volatile boolean stopped;

        ClosedPacing(long requestsMax, long endNanos) {
            this.left = requestsMax;
            this.endNanos = endNanos;
        }

        @Override
        public long takeDue(long nowNanos) {
            if (isOver(nowNanos)) {
                return NOT_YET;
            }
            left--;
            return nowNanos;
        }

        @Override
        public boolean isOver(long nowNanos) {
            return stopped || left <= 0 || nowNanos >= endNanos;
        }

        @Override
        public long waitMillis() {
            return STOP_LOOK_MILLIS;
        }

        @Override
        public long giveUpNanos() {
            return Long.MAX_VALUE;
        }
    }

    private static final class OpenPacing implements Pacing {
        private final PoissonSchedule schedule;
        private final long durationNanos;
        private long nextNanos;

        OpenPacing(PoissonSchedule schedule, long durationNanos) {
            this.schedule = schedule;
            this.durationNanos = durationNanos;
            this.nextNanos = schedule.nextNanos();
        }

        @Override
        public long takeDue(long nowNanos) {
            if (nextNanos >= durationNanos || nextNanos > nowNanos) {
                return NOT_YET;
            }
            long due = nextNanos;
            nextNanos = schedule.nextNanos();
            return due;
        }

        @Override
        public boolean isOver(long nowNanos) {
            return nextNanos >= durationNanos;
        }

        @Override
        public long waitMillis() {
            return 0;
        }

        @Override
        public long giveUpNanos() {
            return durationNanos + OVERDUE_MAX_NANOS;
        }
    }

    /** Due times of independent callers: the gaps are exponential. */
    static final class PoissonSchedule {
        private final SplittableRandom random;
        private final double meanGapNanos;
        private double dueNanos;

        PoissonSchedule(double perSecond, long seed) {
            if (!(perSecond > 0)) {
                throw new IllegalArgumentException("perSecond must be positive, got " + perSecond);
            }
            this.random = new SplittableRandom(seed);
            this.meanGapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        }

        /** The next one's time, from the start on. */
        long nextNanos() {
            dueNanos -= Math.log(1 - random.nextDouble()) * meanGapNanos;
            return (long) dueNanos;
        }
    }

    /** A closed loop on a thread of its own. */
    public static final class Running {
        private final LoadGenerator generator;
        private final LoadResult result;
        private final ClosedPacing pacing = new ClosedPacing(REQUESTS_MAX, Long.MAX_VALUE);
        private final Thread thread;
        private volatile @Nullable Throwable broken;

        private Running(LoadGenerator generator, Workload workload) {
            this.generator = generator;
            this.result = new LoadResult(workload.name());
            this.thread = new Thread(() -> run(workload), "load-" + workload.name());
            thread.setDaemon(true);
            thread.start();
        }

        private void run(Workload workload) {
            try (generator) {
                LoadResult unused = generator.new Loop(workload, result, pacing).run();
            } catch (IOException | RuntimeException failure) {
                broken = failure;
            }
        }

        /** How many requests have their answer, or have failed, so far: for waiting until some passed in a new state. */
        public long done() {
            return result.requests();
        }

        /** How many answers had this status so far. */
        public int count(int status) {
            return result.count(status);
        }

        /** Waits for every client's last answer. */
        public LoadResult stop() throws InterruptedException {
            pacing.stopped = true;
            thread.join();
            if (broken != null) {
                throw new IllegalStateException("The load ended before it was stopped", broken);
            }
            return result;
        }
    }

    /** One run over the clients. */
    private final class Loop {
        private final Workload workload;
        private final LoadResult result;
        private final Pacing pacing;
        private long beganNanos;
        private long number;

        Loop(Workload workload, LoadResult result, Pacing pacing) {
            this.workload = workload;
            this.result = result;
            this.pacing = pacing;
        }

        LoadResult run() throws IOException {
            free.clear();
            free.addAll(clients);
            beganNanos = time.monotonicNanos();
            long silentMillis = 0;
            for (long nowNanos = now(); !pacing.isOver(nowNanos) || free.size() < clients.size(); nowNanos = now()) {
                long dueNanos = free.isEmpty() ? Pacing.NOT_YET : pacing.takeDue(nowNanos);
                if (dueNanos != Pacing.NOT_YET) {
                    result.sentLate(nowNanos - dueNanos);
                    send(free.removeFirst(), dueNanos);
                } else if (nowNanos > pacing.giveUpNanos()) {
                    throw new IllegalStateException(
                            workload.name() + ": answers were overdue by " + OVERDUE_MAX_NANOS + " ns");
                } else if (pacing.waitMillis() == 0) {
                    if (selector.selectNow(this::receive) == 0) {
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                } else if (selector.select(this::receive, pacing.waitMillis()) > 0) {
                    silentMillis = 0;
                } else {
                    silentMillis += pacing.waitMillis();
                    if (silentMillis >= SILENCE_MAX_MILLIS) {
                        failAllUnderWay();
                    }
                }
            }
            result.took(now());
            return result;
        }

        private long now() {
            return time.monotonicNanos() - beganNanos;
        }

        private void send(Client client, long dueNanos) {
            EncodedRequest request = workload.requests().apply(number++);
            client.dueNanos = dueNanos;
            try {
                KeptConnection connection = client.kept.get(request.target());
                if (connection == null) {
                    connection = KeptConnection.connect(client, request.target(), selector);
                    client.kept.put(request.target(), connection);
                }
                client.underWay = connection;
                connection.send(request, workload.keys().next());
            } catch (IOException failure) {
                failed(client, failure);
                // A server that is away is not asked in a spin.
                LockSupport.parkNanos(CONNECT_PAUSE_NANOS);
            }
        }

        private void receive(SelectionKey key) {
            KeptConnection connection = (KeptConnection) key.attachment();
            Client client = connection.client();
            try {
                int status = connection.receive();
                if (status != Response.INCOMPLETE) {
                    result.answered(status, now() - client.dueNanos);
                    release(client);
                }
            } catch (IOException failure) {
                if (connection.equals(client.underWay)) {
                    failed(client, failure);
                } else {
                    // The server has ended a connection that it had no request on.
                    drop(client, connection);
                }
            }
        }

        private void failed(Client client, IOException failure) {
            result.failed(failure.getClass().getSimpleName(), now() - client.dueNanos);
            KeptConnection connection = client.underWay;
            if (connection != null) {
                drop(client, connection);
            }
            release(client);
        }

        private void failAllUnderWay() {
            clients.stream()
                    .filter(client -> client.underWay != null)
                    .forEach(client -> failed(client, new SocketTimeoutException("No answer")));
        }

        private void release(Client client) {
            client.underWay = null;
            free.addLast(client);
        }

        private static void drop(Client client, KeptConnection connection) {
            client.kept.values().remove(connection);
            try {
                connection.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
