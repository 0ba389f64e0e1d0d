package io.meridian.stack.server;

import io.meridian.stack.process.Loopback;
import io.meridian.stack.process.Probe;
import io.meridian.stack.process.ProbeFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Ready is who answers PING with PONG; a Redis that still loads its data answers otherwise. */
record RedisProbe(int port) implements Probe {
    private static final int MILLIS_MAX = 2_000;

    @Override
    public void check() throws ProbeFailure {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(MILLIS_MAX);
            socket.connect(Loopback.at(port), MILLIS_MAX);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            if (!"+PONG".equals(answer)) {
                throw new ProbeFailure("PING was answered with " + answer);
            }
        } catch (IOException e) {
            throw new ProbeFailure(e);
        }
    }
}
