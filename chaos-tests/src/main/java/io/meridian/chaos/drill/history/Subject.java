package io.meridian.chaos.drill.history;

import java.time.Duration;

/**
 * One limit that a drill loads and watches: a policy, of which one client uses one key.
 *
 * @param key as the wire names it: {@code user_id=42}
 * @param limit what the policy promises for each window: in all regions together, or in each where it is regional
 */
public record Subject(String policy, String key, Sharing sharing, long limit, Duration window) {
    /** How regions share the limit. */
    public enum Sharing {
        REGIONAL,
        CONVERGE,
        ESCROW
    }
}
