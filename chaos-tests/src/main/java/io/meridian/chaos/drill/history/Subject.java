package io.meridian.chaos.drill.history;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One limit that a drill loads and watches: a policy, of which one client uses one key.
 *
 * @param key as the wire names it: {@code user_id=42}; {@value #WINDOW} in it stands for the number of the window, so that each has its own
 * @param limit what the policy promises for each window: in all regions together, or in each where it is regional
 */
public record Subject(String policy, String key, Sharing sharing, long limit, Duration window) {
    /** Makes another key of every window. */
    public static final String WINDOW = "{window}";

    /** The key in the window that is open then. */
    public String keyAt(long wallMicros) {
        long number = Math.floorDiv(wallMicros, TimeUnit.MILLISECONDS.toMicros(window.toMillis()));
        return key.replace(WINDOW, Long.toString(number));
    }

    /** How regions share the limit. */
    public enum Sharing {
        REGIONAL,
        CONVERGE,
        ESCROW
    }
}
