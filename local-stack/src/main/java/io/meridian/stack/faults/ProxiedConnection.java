package io.meridian.stack.faults;

import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import io.meridian.stack.faults.DelayLine.Chunk;
import io.meridian.stack.faults.EventLoop.Timer;
import io.meridian.stack.faults.FaultProxies.ConnectionSettings;
import io.meridian.stack.faults.LinkConditions.Chance;
import io.meridian.stack.faults.Toxic.Direction;
import io.meridian.stack.faults.Toxic.ToxicChain;
import io.meridian.stack.faults.ToxicEffect.CloseKind;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection through a proxy: two sockets and a pipe each way. All of it belongs to the event loop. */
final class ProxiedConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ProxiedConnection.class);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

    private final String name;
    private final EventLoop loop;
    private final SocketChannel client;
    private final SocketChannel server;
    private final Pipe toServer;
    private final Pipe toClient;
    private final Consumer<ProxiedConnection> onEnd;
    private @Nullable Timer connectTimeout;
    private int pipesOpen = 2;
    private boolean ended;

    ProxiedConnection(
            String name,
            SocketChannel client,
            Chance chance,
            ConnectionSettings settings,
            Consumer<ProxiedConnection> onEnd)
            throws IOException {
        this.name = name;
        this.loop = settings.loop();
        this.client = client;
        this.server = SocketChannel.open();
        this.onEnd = onEnd;
        this.toServer = new Pipe(Direction.UPSTREAM, client, server, chance);
        this.toClient = new Pipe(Direction.DOWNSTREAM, server, client, chance);
    }

    /** Connects upstream; bytes flow once that is done. The name is looked up here, on the loop: addresses of this machine are meant. */
    void start(Endpoint upstream) {
        attempt(() -> {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = loop.register(server, OP_CONNECT, this::ready);
            connectTimeout = loop.schedule(CONNECT_WITHIN, () -> end(CloseKind.CLOSE));
            if (server.connect(upstream.resolve())) {
                connected(key);
            }
        });
    }

    private void connected(SelectionKey serverKey) throws IOException {
        if (connectTimeout != null) {
            loop.cancel(connectTimeout);
        }
        serverKey.interestOps(OP_READ);
        SelectionKey clientKey = loop.register(client, OP_READ, this::ready);
        toServer.open(clientKey, serverKey);
        toClient.open(serverKey, clientKey);
    }

    private void ready(SelectionKey key) {
        attempt(() -> {
            if (key.isConnectable() && server.finishConnect()) {
                connected(key);
                return;
            }
            boolean ofClient = key.channel().equals(client);
            if (key.isWritable()) {
                (ofClient ? toClient : toServer).write();
            }
            if (!ended && key.isReadable()) {
                (ofClient ? toServer : toClient).read();
            }
        });
    }

    void apply(ToxicChain chain) {
        for (Pipe pipe : List.of(toServer, toClient)) {
            attempt(() -> {
                if (!ended && !pipe.apply(chain)) {
                    end(CloseKind.CLOSE);
                }
            });
        }
    }

    void end(CloseKind kind) {
        if (ended) {
            return;
        }
        ended = true;
        kind.end(client);
        kind.end(server);
        if (connectTimeout != null) {
            loop.cancel(connectTimeout);
        }
        toServer.stop();
        toClient.stop();
        onEnd.accept(this);
    }

    /** Either peer's failure ends the whole connection: half of it is of no use to the other. */
    private void attempt(Work work) {
        try {
            work.run();
        } catch (IOException broken) {
            LOG.debug("connection {} broke: {}", name, broken.toString());
            end(CloseKind.CLOSE);
        } catch (RuntimeException | Error unforeseen) {
            // Sockets left open would look like a black hole nobody asked for.
            end(CloseKind.CLOSE);
            throw unforeseen;
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** One direction of the connection: what is read goes through the delay line and is written when it is due. */
    private final class Pipe {
        private final Direction direction;
        private final SocketChannel from;
        private final SocketChannel to;
        private final Chance chance;
        private final DelayLine line;
        private final CloseTimers closeTimers = new CloseTimers();
        private @Nullable SelectionKey fromKey;
        private @Nullable SelectionKey toKey;
        private final ByteBuffer reading = ByteBuffer.allocate(DelayLine.CHUNK_BYTES_MAX);
        private ByteBuffer writing = ByteBuffer.allocate(0);
        private @Nullable Timer nextDue;
        private boolean readToTheEnd;

        Pipe(Direction direction, SocketChannel from, SocketChannel to, Chance chance) {
            this.direction = direction;
            this.from = from;
            this.to = to;
            this.chance = chance;
            this.line = new DelayLine(
                    loop.time(), chance.jitter(direction), LinkConditions.of(ToxicChain.NONE, direction, chance));
        }

        void open(SelectionKey readable, SelectionKey writable) {
            fromKey = readable;
            toKey = writable;
        }

        /** Puts a chain in force; false where that swallowed the end of the stream, so that it will never be passed on. */
        boolean apply(ToxicChain chain) throws IOException {
            LinkConditions next = LinkConditions.of(chain, direction, chance);
            // The timers first: a connection that a vanished fault leaves with a gap must end before the next byte can
            // pass.
            closeTimers.change(next.swallowing());
            boolean endKept = line.change(next);
            if (!ended && endKept) {
                write();
            }
            return endKept;
        }

        void read() throws IOException {
            if (line.isFull()) {
                interest(fromKey, OP_READ, false);
                return;
            }
            reading.clear();
            int length = from.read(reading);
            if (length > 0) {
                line.put(Arrays.copyOf(reading.array(), length));
            } else if (length < 0) {
                readToTheEnd = true;
                interest(fromKey, OP_READ, false);
                if (!line.putEnd()) {
                    end(CloseKind.CLOSE);
                    return;
                }
            }
            write();
        }

        /** Writes what is due, as far as the peer takes it, and passes the half-close on. */
        void write() throws IOException {
            if (toKey == null) {
                return;
            }
            while (true) {
                if (writing.hasRemaining()) {
                    to.write(writing);
                }
                if (writing.hasRemaining()) {
                    interest(toKey, OP_WRITE, true);
                    break;
                }
                interest(toKey, OP_WRITE, false);
                Optional<Chunk> next = line.take();
                if (next.isEmpty()) {
                    break;
                }
                if (next.get().isEnd()) {
                    to.shutdownOutput();
                    pipesOpen--;
                    if (pipesOpen == 0) {
                        end(CloseKind.CLOSE);
                    }
                    return;
                }
                writing = ByteBuffer.wrap(next.get().bytes());
            }
            if (!readToTheEnd && !line.isFull()) {
                interest(fromKey, OP_READ, true);
            }
            wakeWhenDue();
        }

        private void wakeWhenDue() {
            if (nextDue != null) {
                loop.cancel(nextDue);
                nextDue = null;
            }
            // Bytes that the peer does not accept yet hold back all bytes that are due after them.
            if (!writing.hasRemaining()) {
                line.nextDueNanos().ifPresent(due -> nextDue = loop.scheduleAt(due, () -> attempt(this::write)));
            }
        }

        void stop() {
            if (nextDue != null) {
                loop.cancel(nextDue);
            }
            closeTimers.cancelAll();
        }

        private void interest(@Nullable SelectionKey key, int op, boolean on) {
            if (key != null) {
                key.interestOps(on ? key.interestOps() | op : key.interestOps() & ~op);
            }
        }
    }

    /** Timers by which swallowing toxics end one direction of a connection. */
    private final class CloseTimers {
        private final Map<String, Timer> running = new HashMap<>();
        private Map<String, ToxicEffect.Swallowing> faults = Map.of();

        /** Starts a timer for each new or changed fault; ends the connection where a fault is gone. */
        void change(Map<String, ToxicEffect.Swallowing> next) {
            Map<String, ToxicEffect.Swallowing> before = faults;
            faults = next;
            for (Map.Entry<String, ToxicEffect.Swallowing> known : before.entrySet()) {
                if (!next.containsKey(known.getKey())) {
                    end(known.getValue().ending());
                    return;
                }
            }
            next.forEach((toxic, fault) -> {
                if (!fault.equals(before.get(toxic))) {
                    start(toxic, fault);
                }
            });
        }

        void cancelAll() {
            running.values().forEach(loop::cancel);
            running.clear();
        }

        private void start(String toxic, ToxicEffect.Swallowing fault) {
            if (ended) {
                return;
            }
            Timer replaced = running.remove(toxic);
            if (replaced != null) {
                loop.cancel(replaced);
            }
            if (fault.timeoutMillis() > 0) {
                Duration timeout = Duration.ofMillis(fault.timeoutMillis());
                running.put(toxic, loop.schedule(timeout, () -> end(fault.ending())));
            } else if (fault.ending() == CloseKind.RESET) {
                end(CloseKind.RESET);
            }
        }
    }
}
