package io.meridian.stack.servers;

import io.meridian.stack.process.Loopback;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Plain RESP connection to a Redis of this machine: starting servers needs no client library, and a test sees the server's own replies and
 * not what a client makes of them.
 */
public final class RedisLine implements AutoCloseable {
    public static final String NIL = "(nil)";

    private final Socket socket = new Socket();
    private final InputStream in;

    private static final Duration ONCE_WITHIN = Duration.ofSeconds(2);

    /** Sends one command, its parts separated by spaces, over a connection of its own; the reply as {@link #ask} spells it. */
    public static String askOnce(int port, String command) throws IOException {
        try (RedisLine line = new RedisLine(port, ONCE_WITHIN)) {
            return line.ask(command.split(" "));
        }
    }

    /** Connects; from then on, an answer that takes longer is a {@link java.net.SocketTimeoutException}. */
    public RedisLine(int port, Duration answerWithin) throws IOException {
        int millis = Math.toIntExact(answerWithin.toMillis());
        try {
            socket.connect(Loopback.at(port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /**
     * Asks and waits. An error is text that begins with {@code -}, a status with {@code +}, a number with {@code :}; a
     * string is itself, nothing is {@link #NIL}, and a list is its items, one per line.
     */
    public String ask(String... command) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String part : command) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(ascii("$" + bytes.length + "\r\n"));
            request.writeBytes(bytes);
            request.writeBytes(ascii("\r\n"));
        }
        socket.getOutputStream().write(request.toByteArray());
        return answer();
    }

    private String answer() throws IOException {
        String line = line();
        return switch (line.charAt(0)) {
            case '$' -> text(Integer.parseInt(line.substring(1)));
            case '*' -> list(Integer.parseInt(line.substring(1)));
            default -> line;
        };
    }

    private String list(int items) throws IOException {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < items; i++) {
            list.append(i == 0 ? "" : "\n").append(answer());
        }
        return items < 0 ? NIL : list.toString();
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return NIL;
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException("the server ended the connection within an answer");
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server ended the connection");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
