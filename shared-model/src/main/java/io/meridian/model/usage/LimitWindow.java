package io.meridian.model.usage;

/** Identity of one window of a limit, to which usage and verdicts refer: one key of one policy in the window from {@code startMicros}. */
public record LimitWindow(String policyId, String key, long startMicros) {
    public LimitWindow {
        if (policyId.isEmpty()) {
            throw new IllegalArgumentException("policyId must not be empty");
        }
    }
}
