package io.meridian.config.history;

import java.time.Duration;
import java.util.Locale;

/** How much time one point of an answer stands for. */
public enum PointStep {
    MINUTE(Duration.ofMinutes(1)),
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofDays(1));

    static final int POINTS_MAX = 1_000;

    private final Duration length;

    PointStep(Duration length) {
        this.length = length;
    }

    /** The finest that needs no more points than an answer has. */
    static PointStep of(Duration range) {
        for (PointStep step : values()) {
            // Less by two: a range may begin and end within a step.
            if (range.dividedBy(step.length) <= POINTS_MAX - 2) {
                return step;
            }
        }
        return DAY;
    }

    /** As PostgreSQL and the API call it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
