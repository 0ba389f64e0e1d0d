package io.meridian.stack.servers;

import io.meridian.stack.process.Probe;
import io.meridian.stack.process.ProbeFailure;
import java.io.IOException;

/** Ready is who answers PING with PONG; a Redis that still loads its data answers otherwise. */
record RedisProbe(int port) implements Probe {
    @Override
    public void check() throws ProbeFailure {
        try {
            String answer = RedisLine.ask(port, "PING");
            if (!"+PONG".equals(answer)) {
                throw new ProbeFailure("PING was answered with " + answer);
            }
        } catch (IOException e) {
            throw new ProbeFailure(e);
        }
    }
}
