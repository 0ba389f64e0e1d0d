package io.meridian.sync.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as RFC 3339 writes them. */
final class Instants {
    private Instants() {}

    static String text(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
