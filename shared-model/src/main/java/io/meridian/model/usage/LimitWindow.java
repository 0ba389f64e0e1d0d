package io.meridian.model.usage;

/** What usage is counted for and verdicts speak of: one key of one policy in the window from {@code startMicros}. */
public record LimitWindow(String policyId, String key, long startMicros) {
    public LimitWindow {
        if (policyId.isEmpty()) {
            throw new IllegalArgumentException("policyId must not be empty");
        }
    }
}
