package io.meridian.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One kept connection, with at most one request under way. */
final class Exchange implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = 4 * 1024;
    private static final int RESPONSE_BYTES_MAX = 64 * 1024;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(REQUEST_BYTES_MAX);
    private final ByteBuffer in = ByteBuffer.allocateDirect(RESPONSE_BYTES_MAX);
    private long dueNanos;

    private Exchange(SocketChannel channel) {
        this.channel = channel;
    }

    static Exchange connect(InetSocketAddress target, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open(target);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        Exchange exchange = new Exchange(channel);
        channel.register(selector, SelectionKey.OP_READ, exchange);
        return exchange;
    }

    void send(Load load, long due) throws IOException {
        dueNanos = due;
        out.clear();
        load.request().write(load.keys().next(), out);
        out.flip();
        while (out.hasRemaining()) {
            // A request is far smaller than a socket's buffer, which is empty: the last answer came.
            channel.write(out);
        }
    }

    /** When the request under way was to be sent. */
    long dueNanos() {
        return dueNanos;
    }

    /** Reads what has come: the status of the answer, or {@link Response#INCOMPLETE}. */
    int receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("The server closed a connection");
        }
        int status = Response.status(in);
        if (status != Response.INCOMPLETE) {
            in.clear();
        } else if (!in.hasRemaining()) {
            throw new IOException("A response is longer than " + RESPONSE_BYTES_MAX + " bytes");
        }
        return status;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
