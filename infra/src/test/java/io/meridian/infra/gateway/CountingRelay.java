package io.meridian.infra.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Relay of TCP connections to the limiter that counts them: a gateway must keep its own. */
final class CountingRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    private final int target;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    CountingRelay(int target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                connections.incrementAndGet();
                threads.execute(() -> relay(client));
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private void relay(Socket client) {
        try (client;
                Socket limiter = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(client);
            client.setTcpNoDelay(true);
            limiter.setTcpNoDelay(true);
            threads.execute(() -> copy(limiter, client));
            copy(client, limiter);
        } catch (IOException gone) {
            // A limiter that is not there refuses the gateway by the end of its connection.
        } finally {
            open.remove(client);
        }
    }

    /** One direction; the end of it ends both, as a limiter that dies ends its connections. */
    private static void copy(Socket from, Socket to) {
        byte[] buffer = new byte[16_384];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException gone) {
            // The same end.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket each : open) {
            each.close();
        }
        threads.shutdownNow();
    }
}
