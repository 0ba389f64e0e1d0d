package io.meridian.stack.plan;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** Which part listens at which port of 127.0.0.1. No two share one. */
public record PortPlan(Map<String, Integer> ports) {
    private static final int PORT_MAX = 65_535;

    public PortPlan {
        Map<Integer, String> owners = new HashMap<>();
        ports.forEach((name, port) -> {
            if (port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException(
                        "The port of " + name + " must be between 1 and " + PORT_MAX + ", got " + port);
            }
            String other = owners.put(port, name);
            if (other != null) {
                throw new IllegalArgumentException("Port " + port + " is wanted by both " + other + " and " + name
                        + ": move one with --port NAME=PORT");
            }
        });
        ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
    }

    public int of(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException("There is no port called " + name + ". There are: "
                    + ports.keySet().stream().collect(joining(", ")));
        }
        return port;
    }

    public boolean has(String name) {
        return ports.containsKey(name);
    }

    /** The same parts, some of them elsewhere. */
    public PortPlan with(Map<String, Integer> moved) {
        Map<String, Integer> result = new LinkedHashMap<>(ports);
        moved.forEach((name, port) -> {
            of(name);
            result.put(name, port);
        });
        return new PortPlan(result);
    }

    /** The same parts, at the ports that come next. */
    public PortPlan at(IntSupplier next) {
        Map<String, Integer> result = new LinkedHashMap<>();
        ports.keySet().forEach(name -> result.put(name, next.getAsInt()));
        return new PortPlan(result);
    }
}
