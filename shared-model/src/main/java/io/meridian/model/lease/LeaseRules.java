package io.meridian.model.lease;

import io.meridian.model.algorithm.Window;
import io.meridian.model.match.Limit;

/**
 * Settings of leases: how far ahead an instance leases, and how long it trusts what it knows of a counter.
 *
 * @param horizonMaxMicros what is leased ahead is spent or given back within it, and within the share of the window that
 *     its algorithm allows
 * @param memoryMicros the longest time for which a refusal or a standing is cached: units may come back by another instance
 */
public record LeaseRules(long horizonMaxMicros, long memoryMicros) {
    /** A refusal for want of a grant is cached for as long as it takes to be granted something. */
    private static final long GRANT_MEMORY_MICROS = 100_000;

    long memoryMicros(Limit limit) {
        return limit.policy().coordination().isEscrow() ? Math.min(memoryMicros, GRANT_MEMORY_MICROS) : memoryMicros;
    }

    long horizonMicros(Limit limit) {
        long parts = limit.policy().limitSpec().algorithm().leasesPerWindow();
        if (parts == 0) {
            return 0;
        }
        return limit.quota().window() instanceof Window.Span span
                ? Math.min(horizonMaxMicros, span.micros() / parts)
                : horizonMaxMicros;
    }
}
