package io.meridian.chaos.drill.verdict;

import java.time.Duration;

/**
 * The times that a drill holds the world to.
 *
 * @param convergeWithin from the last heal until all regions count together again
 * @param recoverWithin from the end of a fault until every region decides undegraded; at most the rest of the drill
 * @param takeoverWithin from a fault of a leader until each partition is led again
 */
public record Promises(Duration convergeWithin, Duration recoverWithin, Duration takeoverWithin) {
    private static final Duration MAX = Duration.ofHours(1);
    /** What holds where a drill says nothing. */
    public static final Promises DEFAULT = new Promises(Duration.ofSeconds(10), MAX, Duration.ofSeconds(3));

    public Promises {
        refuseOutOfRange("convergeWithin", convergeWithin);
        refuseOutOfRange("recoverWithin", recoverWithin);
        refuseOutOfRange("takeoverWithin", takeoverWithin);
    }

    private static void refuseOutOfRange(String field, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(field + " must be above 0 and at most " + MAX + ", got " + value);
        }
    }
}
