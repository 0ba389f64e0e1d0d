package io.meridian.limiter.region;

import java.io.Serial;

/**
 * Failure of a request to the region's counters: they cannot be reached, or did not answer in time. Carries no stack trace: a flood
 * of them is normal.
 */
public final class RegionUnavailable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public RegionUnavailable(String reason) {
        super(reason, null, false, false);
    }
}
