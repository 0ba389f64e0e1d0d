package io.meridian.stack.faults;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
    private static final int ACCEPT_RETRY_MILLIS = 20;
    private static final int ACCEPTOR_END_MILLIS = 5_000;

    private final InetSocketAddress address;
    private final String threadName;
    private final Consumer<Socket> clients;
    private Socket placeholder;
    private @Nullable ServerSocket listening;
    private @Nullable Thread acceptor;

    /** Binds the address, a free port where that is 0, and does not listen yet. */
    ProxyListener(String proxyName, InetSocketAddress wanted, Consumer<Socket> clients) throws IOException {
        this.threadName = FaultProxies.THREAD_PREFIX + proxyName + "-accept";
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
        ServerSocket opened;
        try {
            opened = listening(address);
        } catch (IOException taken) {
            keepPort();
            throw taken;
        }
        acceptor = new Thread(() -> acceptAll(opened), threadName);
        acceptor.setDaemon(true);
        acceptor.start();
        listening = opened;
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
            LOG.warn("{} cannot keep its port: {}", threadName, taken.toString());
        }
    }

    private void endListening() {
        if (listening == null || acceptor == null) {
            return;
        }
        release(listening);
        listening = null;
        try {
            // The kernel lets go of the port when the acceptor's last call into it has returned.
            acceptor.join(ACCEPTOR_END_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        acceptor = null;
    }

    private void acceptAll(ServerSocket opened) {
        while (!opened.isClosed()) {
            try {
                clients.accept(opened.accept());
            } catch (IOException failed) {
                if (!opened.isClosed()) {
                    LOG.warn("{} could not accept: {}", threadName, failed.toString());
                    pause();
                }
            }
        }
    }

    /** Out of file descriptors is the usual cause; without a pause the loop would burn a core until some are free. */
    private static void pause() {
        try {
            Thread.sleep(ACCEPT_RETRY_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void release(Closeable socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            LOG.warn("could not close {}: {}", socket, failed.toString());
        }
    }

    private static ServerSocket listening(InetSocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
            return socket;
        } catch (IOException failed) {
            release(socket);
            throw failed(address, failed);
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
