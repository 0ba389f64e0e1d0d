package io.meridian.stack.faults;

import static java.nio.channels.SelectionKey.OP_ACCEPT;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listening socket of one proxy. Shut, it refuses connections, but a socket that is bound and does not listen keeps the port, lest
 * an outgoing connection of this machine be given it and opening fail. Callers hold the lock of the proxy.
 */
final class ProxyListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyListener.class);
    private static final int BACKLOG = 128;
    /** Out of file descriptors is the usual cause; without a pause the loop would burn a core until some are free. */
    private static final Duration ACCEPT_RETRY = Duration.ofMillis(20);

    private final InetSocketAddress address;
    private final String proxyName;
    private final EventLoop loop;
    private final Consumer<SocketChannel> clients;
    private Socket placeholder;
    private @Nullable ServerSocketChannel listening;

    /**
     * Binds the address, a free port where that is 0, and does not listen yet.
     *
     * @param clients called on the loop
     */
    ProxyListener(String proxyName, InetSocketAddress wanted, EventLoop loop, Consumer<SocketChannel> clients)
            throws IOException {
        this.proxyName = proxyName;
        this.loop = loop;
        this.clients = clients;
        this.placeholder = bound(wanted);
        this.address = new InetSocketAddress(wanted.getAddress(), placeholder.getLocalPort());
    }

    InetSocketAddress address() {
        return address;
    }

    boolean isOpen() {
        return listening != null;
    }

    void open() throws IOException {
        if (isOpen()) {
            return;
        }
        release(placeholder);
        try {
            listening = loop.call(this::listen);
        } catch (IOException taken) {
            keepPort();
            throw taken;
        }
    }

    /** Stops listening; on return no connection is being accepted any more. */
    void shut() {
        endListening();
        keepPort();
    }

    @Override
    public void close() {
        endListening();
        release(placeholder);
    }

    private void keepPort() {
        try {
            if (placeholder.isClosed()) {
                placeholder = bound(address);
            }
        } catch (IOException taken) {
            // Refusing matters more than keeping: opening will say so if the port is still taken then.
            LOG.warn("proxy {} cannot keep its port: {}", proxyName, taken.toString());
        }
    }

    private void endListening() {
        ServerSocketChannel opened = listening;
        if (opened != null) {
            listening = null;
            boolean unused = loop.get(() -> {
                release(opened);
                return true;
            });
        }
    }

    private ServerSocketChannel listen() throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, BACKLOG);
            SelectionKey unused = loop.register(channel, OP_ACCEPT, key -> accept(channel, key));
            return channel;
        } catch (IOException failed) {
            release(channel);
            throw failed(address, failed);
        }
    }

    private void accept(ServerSocketChannel channel, SelectionKey key) {
        try {
            for (SocketChannel client = channel.accept(); client != null; client = channel.accept()) {
                clients.accept(client);
            }
        } catch (IOException failed) {
            LOG.warn("proxy {} could not accept: {}", proxyName, failed.toString());
            key.interestOps(0);
            EventLoop.Timer unused = loop.schedule(ACCEPT_RETRY, () -> {
                if (key.isValid()) {
                    key.interestOps(OP_ACCEPT);
                }
            });
        }
    }

    private static void release(Closeable socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            LOG.warn("could not close {}: {}", socket, failed.toString());
        }
    }

    private static Socket bound(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
            return socket;
        } catch (IOException failed) {
            release(socket);
            throw failed(address, failed);
        }
    }

    private static IOException failed(InetSocketAddress address, IOException cause) {
        return new IOException("cannot listen on " + Endpoint.of(address) + ": " + cause.getMessage(), cause);
    }
}
