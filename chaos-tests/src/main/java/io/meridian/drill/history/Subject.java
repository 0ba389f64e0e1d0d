package io.meridian.drill.history;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Limit under test: a policy that a drill creates and loads, with one key.
 *
 * @param key in the form {@code user_id=42}; {@value #WINDOW} in it stands for the number of the window, so that each window has its own key
 * @param limit of the policy in each window: in all regions together, or in each where it is regional
 */
public record Subject(String policy, String key, Sharing sharing, long limit, Duration window) {
    /** Placeholder for the number of the window. */
    public static final String WINDOW = "{window}";

    /** The key in the window at that time. */
    public String keyAt(long wallMicros) {
        long number = Math.floorDiv(wallMicros, TimeUnit.MILLISECONDS.toMicros(window.toMillis()));
        return key.replace(WINDOW, Long.toString(number));
    }

    /** Coordination of the limit between regions. */
    public enum Sharing {
        REGIONAL,
        CONVERGE,
        ESCROW
    }
}
