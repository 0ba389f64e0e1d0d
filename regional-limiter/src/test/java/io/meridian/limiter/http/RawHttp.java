package io.meridian.limiter.http;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection on which anything can be sent, and answers are read no further than a test of robustness needs. */
final class RawHttp implements Closeable {
    /** What is not answered by then hangs. */
    private static final int TIMEOUT_MS = 120_000;

    private static final int CLOSED = -1;

    private final Socket socket;
    private final InputStream in;

    RawHttp(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), 16_384);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void sendNoMore() throws IOException {
        socket.shutdownOutput();
    }

    /** The status of the next answer, or -1 if the connection was closed instead. */
    int status(boolean toHead) throws IOException {
        String line = line();
        while (line.startsWith("HTTP/1.1 1")) {
            skipHeaders();
            line = line();
        }
        if (line.isEmpty()) {
            return CLOSED;
        }
        // The server repeats the protocol of the request, whatever its name.
        int space = line.indexOf(' ');
        if (space < 0 || line.length() < space + 4) {
            throw new IOException("not the first line of an answer: " + line);
        }
        int status = Integer.parseInt(line.substring(space + 1, space + 4));
        long length = skipHeaders();
        boolean bodiless = toHead || status == 204 || status == 304;
        if (!bodiless) {
            in.skipNBytes(length);
        }
        return status;
    }

    /** The length of the body; every answer of the service states it. */
    private long skipHeaders() throws IOException {
        long length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(
                        lower.substring("content-length:".length()).strip());
            }
            if (lower.startsWith("transfer-encoding:")) {
                throw new IOException("an answer in chunks");
            }
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
