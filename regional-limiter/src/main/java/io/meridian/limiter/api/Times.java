package io.meridian.limiter.api;

import java.time.Instant;

/** Times as answers write them: in whole seconds, rounded up, so that whoever waits for one waits long enough. */
final class Times {
    private static final long SECOND_MICROS = 1_000_000;
    private static final int KEPT = 256;

    /** Texts of late, by their second. Lost updates only cost another formatting. */
    private static final Text[] TEXTS = new Text[KEPT];

    private Times() {}

    static long seconds(long micros) {
        return Math.floorDiv(micros, SECOND_MICROS) + (Math.floorMod(micros, SECOND_MICROS) == 0 ? 0 : 1);
    }

    /** How long to wait, at least a second. */
    static long waitSeconds(long micros) {
        return Math.max(1, seconds(micros));
    }

    static long millis(long micros) {
        return (micros + 999) / 1_000;
    }

    /** {@code 2026-01-15T11:00:00Z}. */
    static String text(long micros) {
        long second = seconds(micros);
        int slot = (int) Math.floorMod(second, (long) KEPT);
        Text text = TEXTS[slot];
        if (text == null || text.second != second) {
            text = new Text(second, Instant.ofEpochSecond(second).toString());
            TEXTS[slot] = text;
        }
        return text.text;
    }

    private record Text(long second, String text) {}
}
