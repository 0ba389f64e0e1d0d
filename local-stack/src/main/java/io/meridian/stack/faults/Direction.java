package io.meridian.stack.faults;

import java.util.Locale;

/** The half of a connection a toxic works on: upstream is client to server, downstream is server to client. */
public enum Direction {
    UPSTREAM,
    DOWNSTREAM;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Direction ofWireName(String wireName) {
        for (Direction direction : values()) {
            if (direction.wireName().equals(wireName)) {
                return direction;
            }
        }
        throw new IllegalArgumentException("stream must be upstream or downstream, got " + wireName);
    }
}
