package io.meridian.limiter.decide;

import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.match.Check;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Port of the API to the limiter. Checks come without a tier. A check that names a policy that does not exist is refused at once
 * with an {@link io.meridian.model.validation.ValidationException}. Nothing fails for want of Redis but a commit and a cancellation, which
 * fail with {@link RegionUnavailable}: a reservation that cannot be looked up may still be there.
 */
public interface Limiter {
    /** Decides and charges. */
    CompletionStage<CheckResult> check(Check check);

    /**
     * Decides and charges once for all calls of the same check with this id within a minute; the others get its answer. Fails
     * with {@link RequestIdReused} where the id is that of another check.
     */
    CompletionStage<CheckResult> check(Check check, String requestId);

    /** The tier of the check's client, empty if it has none. */
    Optional<String> tier(Check check);

    /** Current status of the check's limits; consumes nothing. */
    CompletionStage<CheckResult> status(Check check);

    /** Gives the check's cost back; the limits as they then stand. */
    CompletionStage<CheckResult> refund(Check check);

    /** Forgets what was counted for the check's limits; the limits as they then stand. */
    CompletionStage<CheckResult> reset(Check check);

    /** Charges like a check; what is not committed within {@code ttl} is given back. */
    CompletionStage<Reservation> reserve(Check check, Duration ttl);

    /** Keeps {@code cost} of a reservation and gives the rest back; empty if there is no such reservation any more. */
    CompletionStage<Optional<CheckResult>> commit(String reservationId, long cost);

    /** Gives all of a reservation back; empty if there is no such reservation any more. */
    CompletionStage<Optional<CheckResult>> cancel(String reservationId);

    /** Result of a reservation; the id is empty where it does not allow: nothing was charged and there is nothing to commit. */
    record Reservation(Optional<String> id, CheckResult ruling) {}

    /**
     * Reuse of a request id that another check had a short time ago. Carries no stack trace: a flood of them is bad input like any
     * other.
     */
    final class RequestIdReused extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final String requestId;

        public RequestIdReused(String requestId) {
            super("request id " + requestId + " was used for another check", null, false, false);
            this.requestId = requestId;
        }

        public String requestId() {
            return requestId;
        }
    }
}
