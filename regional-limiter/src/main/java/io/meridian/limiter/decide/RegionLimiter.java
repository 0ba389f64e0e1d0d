package io.meridian.limiter.decide;

import io.meridian.model.match.Check;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Everything the API asks, each by the part that knows it. */
@Singleton
class RegionLimiter implements Limiter {
    private final NamedPolicies named;
    private final Decider decider;
    private final RequestIds requestIds;
    private final Amendments amendments;
    private final Reservations reservations;

    RegionLimiter(
            NamedPolicies named,
            Decider decider,
            RequestIds requestIds,
            Amendments amendments,
            Reservations reservations) {
        this.named = named;
        this.decider = decider;
        this.requestIds = requestIds;
        this.amendments = amendments;
        this.reservations = reservations;
    }

    @Override
    public CompletionStage<Ruling> check(Check check) {
        return decider.check(named.known(check));
    }

    @Override
    public CompletionStage<Ruling> check(Check check, String requestId) {
        return requestIds.check(named.known(check), requestId);
    }

    @Override
    public Optional<String> tier(Check check) {
        return amendments.tier(check);
    }

    @Override
    public CompletionStage<Ruling> status(Check check) {
        return amendments.status(named.known(check));
    }

    @Override
    public CompletionStage<Ruling> refund(Check check) {
        return amendments.refund(named.known(check));
    }

    @Override
    public CompletionStage<Ruling> reset(Check check) {
        return amendments.reset(named.known(check));
    }

    @Override
    public CompletionStage<Reservation> reserve(Check check, Duration ttl) {
        return reservations.reserve(named.known(check), ttl);
    }

    @Override
    public CompletionStage<Optional<Ruling>> commit(String reservationId, long cost) {
        return reservations.commit(reservationId, cost);
    }

    @Override
    public CompletionStage<Optional<Ruling>> cancel(String reservationId) {
        return reservations.commit(reservationId, 0);
    }
}
