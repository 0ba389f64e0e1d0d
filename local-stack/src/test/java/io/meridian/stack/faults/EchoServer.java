package io.meridian.stack.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP server on loopback that sends back what it reads, and a farewell once it has read the end. */
final class EchoServer implements AutoCloseable {
    static final String FAREWELL = "|";

    private final ServerSocket listening;
    private final List<Socket> guests = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger echoed = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    EchoServer() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        inThread(this::acceptAll);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort());
    }

    String received() {
        return received.toString(StandardCharsets.UTF_8);
    }

    int bytesEchoed() {
        return echoed.get();
    }

    int connectionsAccepted() {
        return guests.size();
    }

    int connectionsEnded() {
        return ended.get();
    }

    /** Sends to every connection without having been asked. */
    void push(String text) throws IOException {
        for (Socket guest : guests) {
            guest.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket guest : guests) {
            guest.close();
        }
    }

    private void acceptAll() throws IOException {
        while (!listening.isClosed()) {
            Socket guest = listening.accept();
            guests.add(guest);
            inThread(() -> echo(guest));
        }
    }

    private void echo(Socket guest) throws IOException {
        try (guest) {
            InputStream in = guest.getInputStream();
            OutputStream out = guest.getOutputStream();
            byte[] buffer = new byte[8 * 1024];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                received.write(buffer, 0, length);
                out.write(buffer, 0, length);
                echoed.addAndGet(length);
            }
            out.write(FAREWELL.getBytes(StandardCharsets.UTF_8));
        } finally {
            ended.incrementAndGet();
        }
    }

    private static void inThread(Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        step.run();
                    } catch (IOException cut) {
                        // A cut connection is what most drills are about.
                    }
                },
                "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Step {
        void run() throws IOException;
    }
}
