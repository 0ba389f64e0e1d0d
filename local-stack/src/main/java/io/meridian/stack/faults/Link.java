package io.meridian.stack.faults;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection through a proxy: two sockets, a pipe each way, and two threads to a pipe. */
final class Link {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final String name;
    private final Socket client;
    private final Socket server = new Socket();
    private final Endpoint upstream;
    private final Pipe toServer;
    private final Pipe toClient;
    private final Consumer<Link> onEnd;
    private final AtomicInteger pipesOpen = new AtomicInteger(2);
    private final AtomicBoolean ended = new AtomicBoolean();

    Link(String name, Socket client, Endpoint upstream, Chance chance, LinkSettings settings, Consumer<Link> onEnd) {
        this.name = name;
        this.client = client;
        this.upstream = upstream;
        this.onEnd = onEnd;
        this.toServer =
                new Pipe(Direction.UPSTREAM, client, server, chance, settings, new Fuses(settings.timer(), this::end));
        this.toClient = new Pipe(
                Direction.DOWNSTREAM, server, client, chance, settings, new Fuses(settings.timer(), this::end));
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
                end(Ending.CLOSE);
            }
        }
    }

    void end(Ending ending) {
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
            end(Ending.CLOSE);
        }
    }

    private void write(Pipe pipe) throws IOException, InterruptedException {
        pipe.writeAll();
        if (pipesOpen.decrementAndGet() == 0) {
            end(Ending.CLOSE);
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
                end(Ending.CLOSE);
            }
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
