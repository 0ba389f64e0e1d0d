package io.meridian.testkit.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Answers requests with a body of two bytes, one connection per thread; may be held up or fail once. */
final class StubServer implements AutoCloseable {
    private final ServerSocket socket;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean endNext = new AtomicBoolean();
    private final AtomicInteger nextStatus = new AtomicInteger(200);
    private final AtomicReference<Runnable> beforeNext = new AtomicReference<>(StubServer::nothing);

    StubServer() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    int requests() {
        return requests.get();
    }

    /** Ends the connection instead of the next answer. */
    void endNext() {
        endNext.set(true);
    }

    void answerNext(int status) {
        nextStatus.set(status);
    }

    /** Runs something before the next answer is sent. */
    void beforeNext(Runnable task) {
        beforeNext.set(task);
    }

    private static void nothing() {}

    private void accept() throws IOException {
        while (true) {
            Socket connection = socket.accept();
            connection.setTcpNoDelay(true);
            daemon(() -> serve(connection));
        }
    }

    private void serve(Socket connection) throws IOException {
        try (connection) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty()) {
                    continue;
                }
                in.skip(2);
                requests.incrementAndGet();
                if (endNext.getAndSet(false)) {
                    return;
                }
                beforeNext.getAndSet(StubServer::nothing).run();
                connection
                        .getOutputStream()
                        .write(("HTTP/1.1 " + nextStatus.getAndSet(200) + " -\r\ncontent-length: 2\r\n\r\n{}")
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static void daemon(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException ended) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private interface Body {
        void run() throws IOException;
    }
}
