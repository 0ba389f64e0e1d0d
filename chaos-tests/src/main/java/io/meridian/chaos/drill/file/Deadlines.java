package io.meridian.chaos.drill.file;

import java.time.Duration;

/**
 * How fast the world has to mend.
 *
 * @param convergence from the heal until the regions hear of each other as before
 * @param recovery from the heal until every region answers as before; a drill does not wait longer
 * @param takeover until another replica leads what a lost one led
 */
public record Deadlines(Duration convergence, Duration recovery, Duration takeover) {
    private static final Duration MAX = Duration.ofMinutes(10);

    public static final Deadlines USUAL =
            new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(3));

    public Deadlines {
        require("convergence", convergence);
        require("recovery", recovery);
        require("takeover", takeover);
    }

    private static void require(String field, Duration duration) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "%s must be above 0, at most %s, got %s".formatted(field, MAX, duration));
        }
    }
}
