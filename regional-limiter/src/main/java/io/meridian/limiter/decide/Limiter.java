package io.meridian.limiter.decide;

import io.meridian.model.match.Check;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What the API asks. Checks come without a tier. A check that names a policy that does not exist is refused at once with an
 * {@link io.meridian.model.validation.ValidationException}. Nothing fails for want of Redis but a commit and a cancellation, which fail
 * with {@link RegionAway}: a reservation that cannot be looked up may still be there.
 */
public interface Limiter {
    /** Decides and charges. */
    CompletionStage<Ruling> check(Check check);

    /**
     * Decides and charges once for all calls of the same check with this id within a minute; the others get its answer. Fails
     * with {@link RequestIdReused} where the id is that of another check.
     */
    CompletionStage<Ruling> check(Check check, String requestId);

    /** The tier of the check's client, empty if it has none. */
    Optional<String> tier(Check check);

    /** What the check's limits say now; consumes nothing. */
    CompletionStage<Ruling> status(Check check);

    /** Gives the check's cost back; the limits as they then stand. */
    CompletionStage<Ruling> refund(Check check);

    /** Forgets what was counted for the check's limits; the limits as they then stand. */
    CompletionStage<Ruling> reset(Check check);

    /** Charges like a check; what is not committed within {@code ttl} is given back. */
    CompletionStage<Reservation> reserve(Check check, Duration ttl);

    /** Keeps {@code cost} of a reservation and gives the rest back; empty if there is no such reservation any more. */
    CompletionStage<Optional<Ruling>> commit(String reservationId, long cost);

    /** Gives all of a reservation back; empty if there is no such reservation any more. */
    CompletionStage<Optional<Ruling>> cancel(String reservationId);

    /** The id is empty where the ruling does not allow: nothing was charged and there is nothing to commit. */
    record Reservation(Optional<String> id, Ruling ruling) {}
}
