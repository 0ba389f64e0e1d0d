package io.meridian.stack.servers;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a Kafka keeps its data and log, and at which ports of 127.0.0.1 it listens.
 *
 * @param internalPort for the broker itself and for asking whether it is ready; never behind a proxy
 * @param listeners for clients
 */
public record KafkaSettings(
        Path directory, Path log, int controllerPort, int internalPort, List<KafkaListener> listeners) {
    public KafkaSettings {
        if (listeners.isEmpty()) {
            throw new IllegalArgumentException("listeners must not be empty");
        }
        listeners = List.copyOf(listeners);
    }
}
