package io.meridian.limiter.http;

import io.meridian.model.decision.Decision;
import java.time.Instant;

/** Times in answers: in whole seconds, rounded up, so that a client that waits for one waits long enough. */
final class AnswerTimes {
    /** Wait in seconds that an answer names where nobody can say how long: soon enough to notice that all is well again. */
    static final long UNDECIDED_SECONDS = 1;

    private static final long SECOND_MICROS = 1_000_000;
    private static final int KEPT = 256;

    /** Texts of late, by their second. Lost updates only cost another formatting. */
    private static final Text[] TEXTS = new Text[KEPT];

    private AnswerTimes() {}

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

    /** {@code 2026-01-15T11:00:00.250Z}, rounded down: nobody holds a thing for longer than it lasts. */
    static String exactText(long micros) {
        return Instant.ofEpochMilli(Math.floorDiv(micros, 1_000)).toString();
    }

    private record Text(long second, String text) {}

    /** 0 if the request need not, or no waiting helps. */
    static long retryAfterSeconds(Decision decision) {
        if (decision instanceof Decision.Denied denied) {
            return denied.forGood() ? 0 : waitSeconds(denied.retryAfterMicros());
        }
        return decision instanceof Decision.Throttled throttled ? waitSeconds(throttled.delayMicros()) : 0;
    }

    static long delayMs(Decision decision) {
        if (decision instanceof Decision.Allowed allowed) {
            return millis(allowed.delayMicros());
        }
        return decision instanceof Decision.Throttled throttled ? millis(throttled.delayMicros()) : 0;
    }
}
