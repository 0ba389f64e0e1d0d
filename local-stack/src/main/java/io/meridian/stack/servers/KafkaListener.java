package io.meridian.stack.servers;

import java.util.Locale;

/**
 * A door of the broker for one kind of client.
 *
 * @param name of the region behind it, or of the centre
 * @param port where the broker listens
 * @param advertisedPort what the broker tells clients that came in here: the port of a proxy, or its own
 */
public record KafkaListener(String name, int port, int advertisedPort) {
    public KafkaListener {
        if (!name.matches("[a-z][a-z0-9-]*")) {
            throw new IllegalArgumentException("name must be lower case words joined by -, got " + name);
        }
    }

    /** As the broker's settings spell the name. */
    String brokerName() {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
