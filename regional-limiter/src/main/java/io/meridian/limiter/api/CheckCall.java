package io.meridian.limiter.api;

import io.meridian.model.match.Check;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A check as a caller sent it.
 *
 * @param requestId the caller's name for the request, null if it gave none
 * @param ttl how long a reservation holds
 */
record CheckCall(Check check, @Nullable String requestId, Duration ttl) {
    static final int REQUEST_ID_MAX = 128;
    static final long TTL_MS_MAX = 86_400_000;
    static final long TTL_MS_DEFAULT = 60_000;
}
