package io.meridian.limiter.api;

import io.meridian.model.decision.Decision;

/** How long an answer tells its caller to wait. */
final class Waits {
    /** What a caller is told to wait where nobody can say how long: soon enough to notice that all is well again. */
    static final long UNDECIDED_SECONDS = 1;

    private Waits() {}

    /** 0 if the request need not, or no waiting helps. */
    static long retryAfterSeconds(Decision decision) {
        if (decision instanceof Decision.Denied denied) {
            return denied.forGood() ? 0 : Times.waitSeconds(denied.retryAfterMicros());
        }
        return decision instanceof Decision.Throttled throttled ? Times.waitSeconds(throttled.delayMicros()) : 0;
    }

    static long delayMs(Decision decision) {
        if (decision instanceof Decision.Allowed allowed) {
            return Times.millis(allowed.delayMicros());
        }
        return decision instanceof Decision.Throttled throttled ? Times.millis(throttled.delayMicros()) : 0;
    }
}
