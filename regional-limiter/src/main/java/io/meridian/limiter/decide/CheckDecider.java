package io.meridian.limiter.decide;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decision on a check: from memory where leases or a remembered refusal suffice, else by the region, else by the fallback. */
public final class CheckDecider {
    private final RulesInEffect rulesInEffect;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final LoadSignal load;
    private final LeaderContact leader;
    private final GrantWaits grants;
    private final DecisionRecorder recorder;

    public CheckDecider(
            RulesInEffect rulesInEffect,
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            LoadSignal load,
            LeaderContact leader,
            GrantWaits grants,
            DecisionRecorder recorder) {
        this.rulesInEffect = rulesInEffect;
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.load = load;
        this.leader = leader;
        this.grants = grants;
        this.recorder = recorder;
    }

    public CompletionStage<CheckResult> check(Check check) {
        long startNanos = recorder.startNanos();
        long nowMicros = clock.nowMicros();
        RegionRules rules = rulesInEffect.current();
        Listing listing = rules.listing(check, nowMicros);
        if (listing instanceof Listing.Barred barred) {
            CheckResult barredRuling = new CheckResult.Listed(barred.identifierType(), barred.identifier());
            return done(recorder.of(barredRuling, check, false, startNanos));
        }
        boolean exempt = listing instanceof Listing.Exempt;
        List<Limit> limits = exempt ? List.of() : rules.limits(check, load.percent(), nowMicros);
        if (limits.isEmpty()) {
            return done(recorder.of(unlimited(nowMicros), check, exempt, startNanos));
        }
        CheckAttempt attempt = new CheckAttempt(limits, leases, leader, this::giveBack);
        List<CounterRequest> asks = attempt.prepare(nowMicros);
        if (asks.isEmpty()) {
            CheckResult ruling = offering(attempt.result(nowMicros), rules, check);
            return done(recorder.of(ruling, check, false, startNanos));
        }
        return counters.ask(asks)
                .thenCompose(reply -> grants.settle(asks, reply, counters))
                .handle((reply, away) -> {
                    CheckResult ruling = away == null ? withRegion(attempt, reply) : withoutRegion(attempt);
                    return recorder.of(offering(ruling, rules, check), check, false, startNanos);
                });
    }

    /** A remembered answer, with what its client is offered today. */
    public CheckResult offering(CheckResult ruling, Check check) {
        return offering(ruling, rulesInEffect.current(), check);
    }

    private static CheckResult offering(CheckResult ruling, RegionRules rules, Check check) {
        return ruling instanceof CheckResult.Decided decided && !(decided.decision() instanceof Decision.Allowed)
                ? decided.offering(rules.upgradeUrl(check, decided.nowMicros()))
                : ruling;
    }

    private static CheckResult withRegion(CheckAttempt attempt, RegionCounters.Reply reply) {
        attempt.replied(reply.told(), reply.nowMicros());
        return attempt.result(reply.nowMicros());
    }

    private CheckResult withoutRegion(CheckAttempt attempt) {
        long nowMicros = clock.nowMicros();
        Limit closed = attempt.failsClosed();
        if (closed != null) {
            attempt.abandon(nowMicros);
            return new CheckResult.Undecided(closed);
        }
        attempt.fellBack(fallback.answer(attempt.requests(), nowMicros), nowMicros);
        return attempt.result(nowMicros);
    }

    /** Sends a refund without waiting for it. A refund that is lost counts as spent. */
    private void giveBack(CounterRequest.Refund rest) {
        counters.ask(List.of(rest));
    }

    private static CheckResult unlimited(long nowMicros) {
        return CheckResult.Decided.by(DecidedBy.LEASE, new Decision.Allowed(List.of(), null, 0), nowMicros);
    }

    private static CompletionStage<CheckResult> done(CheckResult ruling) {
        return CompletableFuture.completedFuture(ruling);
    }
}
