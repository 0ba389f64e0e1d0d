package io.meridian.stack.servers;

import io.meridian.stack.process.Loopback;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One command to a Redis of this machine, over a connection of its own: what starting servers needs, without a client. */
final class RedisLine {
    private static final int MILLIS_MAX = 2_000;

    private RedisLine() {}

    /** The reply's text: of a string all its lines, else the one line with its type in front. */
    static String ask(int port, String command) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(MILLIS_MAX);
            socket.connect(Loopback.at(port), MILLIS_MAX);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String first = reader.readLine();
            if (first == null || !first.startsWith("$")) {
                return String.valueOf(first);
            }
            char[] text = new char[Integer.parseInt(first.substring(1))];
            int read = 0;
            while (read < text.length) {
                int more = reader.read(text, read, text.length - read);
                if (more < 0) {
                    throw new IOException("the reply to " + command + " ended early");
                }
                read += more;
            }
            return new String(text);
        }
    }
}
