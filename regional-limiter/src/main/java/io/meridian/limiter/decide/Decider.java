package io.meridian.limiter.decide;

import io.meridian.limiter.policy.Rulebook.Listing;
import io.meridian.limiter.policy.Rulebook;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides checks: from memory where leases or a remembered refusal suffice, else by the region, else by the fallback. */
@Singleton
class Decider {
    private final Rulebooks rulebooks;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final Load load;
    private final Centre centre;
    private final GrantWaits grants;
    private final Aftermath aftermath;

    Decider(
            Rulebooks rulebooks,
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            Load load,
            Centre centre,
            GrantWaits grants,
            Aftermath aftermath) {
        this.rulebooks = rulebooks;
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.load = load;
        this.centre = centre;
        this.grants = grants;
        this.aftermath = aftermath;
    }

    CompletionStage<Ruling> check(Check check) {
        long startNanos = aftermath.startNanos();
        long nowMicros = clock.nowMicros();
        Rulebook rulebook = rulebooks.current();
        Listing listing = rulebook.listing(check, nowMicros);
        if (listing instanceof Listing.Barred barred) {
            Ruling barredRuling = new Ruling.Listed(barred.identifierType(), barred.identifier());
            return done(aftermath.of(barredRuling, check, false, startNanos));
        }
        boolean exempt = listing instanceof Listing.Exempt;
        List<Limit> limits = exempt ? List.of() : rulebook.limits(check, load.percent(), nowMicros);
        if (limits.isEmpty()) {
            return done(aftermath.of(unlimited(nowMicros), check, exempt, startNanos));
        }
        Attempt attempt = new Attempt(limits, leases, centre, this::giveBack);
        List<CounterRequest> asks = attempt.prepare(nowMicros);
        if (asks.isEmpty()) {
            Ruling ruling = offering(attempt.ruling(nowMicros), rulebook, check);
            return done(aftermath.of(ruling, check, false, startNanos));
        }
        return counters.ask(asks)
                .thenCompose(reply -> grants.settle(asks, reply, counters))
                .handle((reply, away) -> {
                    Ruling ruling = away == null ? withRegion(attempt, reply) : withoutRegion(attempt);
                    return aftermath.of(offering(ruling, rulebook, check), check, false, startNanos);
                });
    }

    /** A remembered answer, with what its client is offered today. */
    Ruling offering(Ruling ruling, Check check) {
        return offering(ruling, rulebooks.current(), check);
    }

    private static Ruling offering(Ruling ruling, Rulebook rulebook, Check check) {
        return ruling instanceof Ruling.Decided decided && !(decided.decision() instanceof Decision.Allowed)
                ? decided.offering(rulebook.upgradeUrl(check, decided.nowMicros()))
                : ruling;
    }

    private static Ruling withRegion(Attempt attempt, RegionCounters.Reply reply) {
        attempt.told(reply.told(), reply.nowMicros());
        return attempt.ruling(reply.nowMicros());
    }

    private Ruling withoutRegion(Attempt attempt) {
        long nowMicros = clock.nowMicros();
        Limit closed = attempt.failsClosed();
        if (closed != null) {
            attempt.abandon(nowMicros);
            return new Ruling.Undecided(closed);
        }
        attempt.fellBack(fallback.answer(attempt.asks(), nowMicros), nowMicros);
        return attempt.ruling(nowMicros);
    }

    /** What does not arrive counts as spent. */
    private void giveBack(CounterRequest.Refund rest) {
        counters.ask(List.of(rest));
    }

    private static Ruling unlimited(long nowMicros) {
        return new Ruling.Decided(new Decision.Allowed(List.of(), null, 0), List.of(), nowMicros);
    }

    private static CompletionStage<Ruling> done(Ruling ruling) {
        return CompletableFuture.completedFuture(ruling);
    }
}
