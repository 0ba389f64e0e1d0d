package io.meridian.stack.faults;

import io.meridian.model.time.TimeSource;
import io.meridian.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A client's connection to a proxy. */
final class Caller implements AutoCloseable {
    private final Socket socket = new Socket();

    private Caller() {}

    static Caller dial(int port) throws IOException {
        Caller caller = new Caller();
        int deadlineMillis = (int) TimeUnit.SECONDS.toMillis(Await.DEADLINE_SECONDS);
        caller.socket.setSoTimeout(deadlineMillis);
        caller.socket.setTcpNoDelay(true);
        try {
            caller.socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), deadlineMillis);
            return caller;
        } catch (IOException refused) {
            caller.close();
            throw refused;
        }
    }

    static long millisSince(long startNanos) {
        return TimeUnit.NANOSECONDS.toMillis(TimeSource.system().monotonicNanos() - startNanos);
    }

    void say(String text) throws IOException {
        say(text.getBytes(StandardCharsets.UTF_8));
    }

    void say(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void sayNoMore() throws IOException {
        socket.shutdownOutput();
    }

    String hear(int length) throws IOException {
        return new String(hearBytes(length), StandardCharsets.UTF_8);
    }

    byte[] hearBytes(int length) throws IOException {
        return socket.getInputStream().readNBytes(length);
    }

    String hearToTheEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    String ask(String text) throws IOException {
        say(text);
        return hear(text.length());
    }

    /** What is heard before the connection is gone, be it closed or reset. */
    String hearUntilCut() throws IOException {
        StringBuilder heard = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                heard.append((char) next);
            }
        } catch (SocketException reset) {
            // As good an end as any.
        }
        return heard.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
