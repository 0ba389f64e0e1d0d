package io.meridian.stack.faults;

import io.meridian.stack.faults.DelayLine.Chunk;
import io.meridian.stack.faults.Fault.CloseKind;
import io.meridian.stack.faults.FaultProxies.ConnectionSettings;
import io.meridian.stack.faults.LinkConditions.Chance;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.Toxic.ToxicChain;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection through a proxy: two sockets, a pipe each way, and two threads to a pipe. */
final class ProxiedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ProxiedConnection.class);
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final String name;
    private final Socket client;
    private final Socket server = new Socket();
    private final Endpoint upstream;
    private final Pipe toServer;
    private final Pipe toClient;
    private final Consumer<ProxiedConnection> onEnd;
    private final AtomicInteger pipesOpen = new AtomicInteger(2);
    private final AtomicBoolean ended = new AtomicBoolean();

    ProxiedConnection(
            String name,
            Socket client,
            Endpoint upstream,
            Chance chance,
            ConnectionSettings settings,
            Consumer<ProxiedConnection> onEnd) {
        this.name = name;
        this.client = client;
        this.upstream = upstream;
        this.onEnd = onEnd;
        this.toServer = new Pipe(
                Direction.UPSTREAM, client, server, chance, settings, new CloseTimers(settings.timer(), this::end));
        this.toClient = new Pipe(
                Direction.DOWNSTREAM, server, client, chance, settings, new CloseTimers(settings.timer(), this::end));
    }

    /** Connects upstream and lets the bytes flow, all on threads of its own. */
    void start() {
        inThread("dial", () -> {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(upstream.resolve(), CONNECT_TIMEOUT_MILLIS);
            for (Pipe pipe : List.of(toServer, toClient)) {
                inThread(pipe.direction().wireName() + "-write", () -> write(pipe));
            }
            inThread(Direction.DOWNSTREAM.wireName() + "-read", () -> read(toClient));
            read(toServer);
        });
    }

    void apply(ToxicChain chain) {
        for (Pipe pipe : List.of(toServer, toClient)) {
            if (!pipe.apply(chain)) {
                end(CloseKind.CLOSE);
            }
        }
    }

    void end(CloseKind ending) {
        if (ended.compareAndSet(false, true)) {
            ending.end(client);
            ending.end(server);
            toServer.stop();
            toClient.stop();
            onEnd.accept(this);
        }
    }

    private void read(Pipe pipe) throws IOException, InterruptedException {
        if (!pipe.readAll()) {
            end(CloseKind.CLOSE);
        }
    }

    private void write(Pipe pipe) throws IOException, InterruptedException {
        pipe.writeAll();
        if (pipesOpen.decrementAndGet() == 0) {
            end(CloseKind.CLOSE);
        }
    }

    private void inThread(String role, Work work) {
        Thread thread = new Thread(() -> attempt(work), FaultProxies.THREAD_PREFIX + name + "-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    /** Either peer's failure ends the whole connection: half of it is of no use to the other. */
    private void attempt(Work work) {
        boolean finished = false;
        try {
            work.run();
            finished = true;
        } catch (IOException broken) {
            LOG.debug("connection {} broke: {}", name, broken.toString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            // Also on an error such as no more threads: sockets left open would look like a black hole nobody asked
            // for.
            if (!finished) {
                end(CloseKind.CLOSE);
            }
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** One direction of a connection: a reader fills the delay line, a writer empties it. */
    static final class Pipe {
        /** What one read takes in, and so the grain of a bandwidth. */
        static final int READ_BYTES_MAX = 16 * 1024;

        private final Direction direction;
        private final Socket from;
        private final Socket to;
        private final Chance chance;
        private final DelayLine line;
        private final CloseTimers timers;

        Pipe(
                Direction direction,
                Socket from,
                Socket to,
                Chance chance,
                ConnectionSettings settings,
                CloseTimers timers) {
            this.direction = direction;
            this.from = from;
            this.to = to;
            this.chance = chance;
            this.timers = timers;
            this.line = new DelayLine(
                    settings.time(), chance.jitter(direction), LinkConditions.of(ToxicChain.NONE, direction, chance));
        }

        Direction direction() {
            return direction;
        }

        /** Puts a chain in force; false where that swallowed the end of the stream, so that no writer will ever pass it on. */
        boolean apply(ToxicChain chain) {
            LinkConditions next = LinkConditions.of(chain, direction, chance);
            // Timers first: a connection that a vanished fault leaves with a gap must end before the next byte can
            // pass.
            timers.change(next.swallowing());
            return line.change(next);
        }

        /** Reads to the end of the stream; false where the end itself was swallowed. */
        boolean readAll() throws IOException, InterruptedException {
            InputStream in = from.getInputStream();
            byte[] buffer = new byte[READ_BYTES_MAX];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                line.put(Arrays.copyOf(buffer, length));
            }
            return line.putEnd();
        }

        /** Writes to the end of the stream and passes the half-close on. */
        void writeAll() throws IOException, InterruptedException {
            OutputStream out = to.getOutputStream();
            for (Optional<Chunk> next = line.take(); next.isPresent(); next = line.take()) {
                if (next.get().isEnd()) {
                    to.shutdownOutput();
                    return;
                }
                out.write(next.get().bytes());
            }
        }

        void stop() {
            line.close();
            timers.cancelAll();
        }
    }

    /**
     * Timers by which swallowing toxics end one direction of a connection. They run on the thread of the scheduler and not on the
     * writer's, because a writer may be stuck with a peer that does not read.
     */
    private static final class CloseTimers {
        private final ScheduledExecutorService timer;
        private final Consumer<CloseKind> end;
        private final Map<String, Future<?>> running = new HashMap<>();
        private Map<String, Fault.Swallowing> faults = Map.of();

        CloseTimers(ScheduledExecutorService timer, Consumer<CloseKind> end) {
            this.timer = timer;
            this.end = end;
        }

        /** Starts a timer for each new or changed fault; ends the connection where a fault is gone. */
        synchronized void change(Map<String, Fault.Swallowing> next) {
            Map<String, Fault.Swallowing> before = faults;
            faults = next;
            for (Map.Entry<String, Fault.Swallowing> known : before.entrySet()) {
                if (!next.containsKey(known.getKey())) {
                    end.accept(known.getValue().ending());
                    return;
                }
            }
            next.forEach((toxic, fault) -> {
                if (!fault.equals(before.get(toxic))) {
                    start(toxic, fault);
                }
            });
        }

        synchronized void cancelAll() {
            running.values().forEach(timer -> timer.cancel(false));
            running.clear();
        }

        private void start(String toxic, Fault.Swallowing fault) {
            Future<?> replaced = running.remove(toxic);
            if (replaced != null) {
                replaced.cancel(false);
            }
            if (fault.timeoutMillis() > 0) {
                running.put(
                        toxic,
                        timer.schedule(() -> end.accept(fault.ending()), fault.timeoutMillis(), TimeUnit.MILLISECONDS));
            } else if (fault.ending() == CloseKind.RESET) {
                end.accept(CloseKind.RESET);
            }
        }
    }
}
