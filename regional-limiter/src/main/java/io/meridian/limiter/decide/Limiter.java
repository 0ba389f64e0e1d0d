package io.meridian.limiter.decide;

import io.meridian.limiter.region.RegionUnavailable;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Port of the API to the limiter. Checks come without a tier. A check that names a policy that does not exist is refused at once
 * with an {@link io.meridian.model.validation.ValidationException}. Nothing fails for want of Redis but what
 * cannot be done without it, with {@link RegionUnavailable}: a commit, a cancellation, a client lease and its return.
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

    /** Leases up to {@code units} of all limits of a check to a client, for at most {@code ttl}. */
    CompletionStage<ClientLease> lease(Check check, long units, Duration ttl);

    /** Gives {@code units} of a client lease back and ends it. */
    CompletionStage<LeaseReturn> returnLease(String leaseId, long units);

    /** Result of a reservation; the id is empty where it does not allow: nothing was charged and there is nothing to commit. */
    record Reservation(Optional<String> id, CheckResult ruling) {}

    /** Result of a request for a client lease. */
    sealed interface ClientLease {
        /**
         * Units that a client holds. Of each limit {@code units} times its unit cost are charged, of which the check's own cost is to be
         * spent at once.
         *
         * @param untilMicros the first microsecond, in the region's time, at which they may no longer be spent
         * @param ttlMicros how long that was from the decision on
         */
        record Granted(String id, long units, long untilMicros, long ttlMicros, CheckResult.Decided ruling)
                implements ClientLease {}

        /** The check is refused: nothing was charged. */
        record Refused(CheckResult ruling) implements ClientLease {}

        /** A limit of the check counts every request at its exact time, so that no unit of it may be spent later. */
        record NotLeasable(Limit limit) implements ClientLease {}
    }

    /** Result of the return of a client lease. */
    sealed interface LeaseReturn {
        /** The limits as they then stand. */
        record Returned(CheckResult ruling) implements LeaseReturn {}

        /** There is no such lease: it never was, or was returned. */
        record Unknown() implements LeaseReturn {}

        /** The lease ended before: its units count as spent. */
        record Expired() implements LeaseReturn {}

        /** More than was leased; the lease goes on. */
        record TooMany(long leased) implements LeaseReturn {}
    }

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
