package io.meridian.bench.config;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param warmUp changes before those that count
 * @param time no change is begun after so long
 */
record Scale(int warmUp, int changes, Duration time) {
    /** For figures. */
    static final Scale FULL = new Scale(20, 300, Duration.ofMinutes(5));

    /** For a proof that it runs; what it prints means nothing. */
    static final Scale SHORT = new Scale(1, 20, Duration.ofMinutes(1));
}
