package io.meridian.limiter.api;

import io.meridian.limiter.decide.Limiter;
import io.meridian.limiter.decide.RequestIdReused;
import io.meridian.limiter.decide.Ruling;
import io.meridian.model.match.Check;
import io.meridian.model.validation.FieldError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
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
    private static final String REUSED_RULE = "must be new: another check used it a short time ago";

    CompletionStage<Ruling> decidedBy(Limiter limiter) {
        return requestId == null ? limiter.check(check) : limiter.check(check, requestId);
    }

    /** The refusal of an id that another check has; {@code path} is put before the field's name. */
    static Problem refusal(RequestIdReused reused, String path) {
        return Problem.of(
                ErrorCode.INVALID, List.of(new FieldError(path + "request_id", reused.requestId(), REUSED_RULE)));
    }
}
