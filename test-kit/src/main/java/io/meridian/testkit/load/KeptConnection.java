package io.meridian.testkit.load;

import io.meridian.testkit.load.LoadGenerator.Client;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Kept HTTP/1.1 connection of one client of the load generator, with at most one request under way. */
final class KeptConnection implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = 4 * 1024;
    private static final int RESPONSE_BYTES_MAX = 64 * 1024;
    private static final int CONNECT_MILLIS_MAX = 60_000;

    private final Client client;
    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(REQUEST_BYTES_MAX);
    private final ByteBuffer in = ByteBuffer.allocateDirect(RESPONSE_BYTES_MAX);

    private KeptConnection(Client client, SocketChannel channel) {
        this.client = client;
        this.channel = channel;
    }

    static KeptConnection connect(Client client, InetSocketAddress target, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(target, CONNECT_MILLIS_MAX);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            KeptConnection connection = new KeptConnection(client, channel);
            channel.register(selector, SelectionKey.OP_READ, connection);
            return connection;
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    Client client() {
        return client;
    }

    void send(EncodedRequest request, long key) throws IOException {
        out.clear();
        request.write(key, out);
        out.flip();
        while (out.hasRemaining()) {
            // A request is far smaller than a socket's buffer, which is empty: the last answer came.
            channel.write(out);
        }
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

    /** Status and completeness of a response, which is all that the generator needs of it. */
    static final class Response {
        static final int INCOMPLETE = 0;

        private static final byte[] END_OF_HEADERS = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(StandardCharsets.US_ASCII);
        private static final int STATUS_AT = "HTTP/1.1 ".length();

        private Response() {}

        /** The status of the response before the buffer's position, or {@link #INCOMPLETE}. */
        static int status(ByteBuffer received) {
            int end = received.position();
            int headersEnd = find(END_OF_HEADERS, received, end);
            if (headersEnd < 0) {
                return INCOMPLETE;
            }
            int whole = headersEnd + END_OF_HEADERS.length + contentLength(received, headersEnd);
            if (end > whole) {
                throw new IllegalStateException("A response is longer than it says: " + end + " bytes, not " + whole);
            }
            return end < whole ? INCOMPLETE : number(received, STATUS_AT);
        }

        private static int contentLength(ByteBuffer received, int end) {
            int at = find(LENGTH, received, end);
            if (at < 0) {
                throw new IllegalStateException("A response does not say its length");
            }
            int digits = at + LENGTH.length;
            while (received.get(digits) == ' ') {
                digits++;
            }
            return number(received, digits);
        }

        private static int number(ByteBuffer received, int from) {
            int number = 0;
            for (int at = from; isDigit(received.get(at)); at++) {
                number = number * 10 + received.get(at) - '0';
            }
            return number;
        }

        private static boolean isDigit(byte character) {
            return character >= '0' && character <= '9';
        }

        private static int find(byte[] sought, ByteBuffer received, int end) {
            for (int at = 0; at <= end - sought.length; at++) {
                if (startsWith(sought, received, at)) {
                    return at;
                }
            }
            return -1;
        }

        private static boolean startsWith(byte[] sought, ByteBuffer received, int at) {
            for (int i = 0; i < sought.length; i++) {
                if (lowerCase(received.get(at + i)) != sought[i]) {
                    return false;
                }
            }
            return true;
        }

        private static int lowerCase(byte character) {
            return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
        }
    }
}
