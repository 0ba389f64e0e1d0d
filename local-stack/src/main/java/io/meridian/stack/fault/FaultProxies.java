package io.meridian.stack.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Placeholder that passes bytes through. */
public final class FaultProxies implements AutoCloseable {
    private final List<ServerSocket> sockets = new CopyOnWriteArrayList<>();
    private final int apiPort;

    private FaultProxies(int apiPort) {
        this.apiPort = apiPort;
    }

    public static FaultProxies start(int apiPort) {
        return new FaultProxies(apiPort);
    }

    public int apiPort() {
        return apiPort;
    }

    public FaultProxy add(String name, InetSocketAddress listen, InetSocketAddress upstream) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(listen);
        sockets.add(server);
        daemon(() -> accept(server, upstream));
        return new FaultProxy(name, server.getLocalPort());
    }

    private static void accept(ServerSocket server, InetSocketAddress upstream) {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                Socket far = new Socket();
                try {
                    far.connect(upstream, 1_000);
                } catch (IOException e) {
                    near.close();
                    continue;
                }
                daemon(() -> copy(near, far));
                daemon(() -> copy(far, near));
            } catch (IOException e) {
                // The listening socket was closed, or one connection failed: the loop condition tells.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // Either end hung up.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        for (ServerSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // Closing is all that was wanted.
            }
        }
    }
}
