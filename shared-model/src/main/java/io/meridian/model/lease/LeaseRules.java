package io.meridian.model.lease;

import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;

/**
 * How far ahead an instance leases and how long it believes what it was told.
 *
 * @param horizonMaxMicros what is leased ahead is spent or given back within it, and within a hundredth of the window
 * @param memoryMicros the longest time a refusal or a standing is believed: units may come back by another instance
 */
public record LeaseRules(long horizonMaxMicros, long memoryMicros) {
    private static final long PARTS = 100;

    long horizonMicros(Limit limit) {
        if (!limit.policy().counting().algorithm().leasesAhead()) {
            return 0;
        }
        return limit.terms().window() instanceof Window.Span span
                ? Math.min(horizonMaxMicros, span.micros() / PARTS)
                : horizonMaxMicros;
    }
}
