package io.meridian.limiter.decide;

import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RegionRules.Listing;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.algorithm.Algorithm;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision;
import io.meridian.model.lease.Lease;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decision on a client lease: one check that every limit of the region charges together with a lease ahead for the client. The ahead of a
 * limit is what the algorithm gives an instance: at most a sixteenth of what remains, until a hundredth or tenth of the window is over. A
 * lease has the least units of all its limits; what others charged above goes back at once. The units never pass through the leases of
 * this instance, and no fallback grants any.
 */
public final class ClientLeaseDecider {
    private final RulesInEffect rulesInEffect;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final RegionClock clock;
    private final LoadSignal load;
    private final LeaderContact leader;
    private final UsageAccounts usage;
    private final GrantWaits grants;
    private final CheckDecider checks;
    private final DecisionRecorder recorder;

    ClientLeaseDecider(
            RulesInEffect rulesInEffect,
            LeaseTable leases,
            RegionCounters counters,
            RegionClock clock,
            LoadSignal load,
            LeaderContact leader,
            UsageAccounts usage,
            GrantWaits grants,
            CheckDecider checks,
            DecisionRecorder recorder) {
        this.rulesInEffect = rulesInEffect;
        this.leases = leases;
        this.counters = counters;
        this.clock = clock;
        this.load = load;
        this.leader = leader;
        this.usage = usage;
        this.grants = grants;
        this.checks = checks;
        this.recorder = recorder;
    }

    /** Result of a request for units. */
    public sealed interface LeaseDecision {
        /**
         * Units for the client.
         *
         * @param units what the client may spend, in units of the check's cost, and that cost at least
         * @param untilMicros when it may no longer
         */
        record Leased(CheckResult.Decided ruling, Decision.Allowed decision, long units, long untilMicros)
                implements LeaseDecision {}

        record Refused(CheckResult ruling) implements LeaseDecision {}

        record NotLeasable(Limit limit) implements LeaseDecision {}
    }

    /** Fails with {@link io.meridian.limiter.region.RegionUnavailable} if the region's counters do not answer. */
    public CompletionStage<LeaseDecision> lease(Check check, long units, long ttlMicros) {
        long startNanos = recorder.startNanos();
        long nowMicros = clock.nowMicros();
        RegionRules rules = rulesInEffect.current();
        Listing listing = rules.listing(check, nowMicros);
        if (listing instanceof Listing.Barred) {
            return asCheck(check);
        }
        boolean exempt = listing instanceof Listing.Exempt;
        List<Limit> limits = exempt ? List.of() : rules.limits(check, load.percent(), nowMicros);
        if (limits.isEmpty()) {
            return asCheck(check, units, nowMicros + ttlMicros);
        }
        for (Limit limit : limits) {
            if (!algorithm(limit).leasesAhead()) {
                return CompletableFuture.completedFuture(new LeaseDecision.NotLeasable(limit));
            }
        }
        if (isRefusedFromMemory(limits, nowMicros)) {
            return asCheck(check);
        }
        List<CounterRequest> takes = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            takes.add(leases.of(limit)
                    .requestForClient(
                            limit,
                            limit.cost(),
                            Math.multiplyExact(units, limit.unitCost()),
                            ttlMicros,
                            CheckAttempt.overdraft(limit, leader)));
        }
        return counters.ask(takes)
                .thenCompose(reply -> grants.settle(takes, reply, counters))
                .thenApply(reply -> decided(check, takes, reply, startNanos));
    }

    private boolean isRefusedFromMemory(List<Limit> limits, long nowMicros) {
        for (Limit limit : limits) {
            Lease.Refusal known = leases.of(limit).refusal(limit, limit.cost(), nowMicros);
            if (known != null && !limit.policy().enforcement().isShadow()) {
                return true;
            }
        }
        return false;
    }

    /** The plain check decides: it needs no counter, or a refusal is remembered. If it admits after all, the cost is the lease. */
    private CompletionStage<LeaseDecision> asCheck(Check check) {
        return asCheck(check, check.cost(), 0);
    }

    private CompletionStage<LeaseDecision> asCheck(Check check, long units, long untilMicros) {
        return checks.check(check)
                .thenApply(ruling -> ruling instanceof CheckResult.Decided decided
                                && decided.decision() instanceof Decision.Allowed allowed
                        ? new LeaseDecision.Leased(decided, allowed, units, Math.max(untilMicros, decided.nowMicros()))
                        : new LeaseDecision.Refused(ruling));
    }

    private LeaseDecision decided(
            Check check, List<CounterRequest> takes, RegionCounters.Reply reply, long startNanos) {
        long nowMicros = reply.nowMicros();
        List<LimitResult> results = new ArrayList<>(takes.size());
        for (int i = 0; i < takes.size(); i++) {
            CounterRequest.Take take = (CounterRequest.Take) takes.get(i);
            CounterReply told = reply.told().get(i);
            leases.of(take.limit())
                    .applyForClient(take, told, nowMicros, !GrantWaits.mayBeGranted(take.limit(), told, leader));
            results.add(LimitResult.of(take.limit(), told, standing(told), DecidedBy.REGION));
        }
        CheckResult.Decided ruling =
                (CheckResult.Decided) checks.offering(CheckResult.Decided.of(results, nowMicros), check);
        if (!(ruling.decision() instanceof Decision.Allowed allowed)) {
            return new LeaseDecision.Refused(recorder.of(ruling, check, false, startNanos));
        }
        long units = Long.MAX_VALUE;
        long untilMicros = Long.MAX_VALUE;
        for (int i = 0; i < takes.size(); i++) {
            CounterRequest.Take take = (CounterRequest.Take) takes.get(i);
            CounterReply told = reply.told().get(i);
            // A shadow limit that would refuse took nothing: every such check must reach it, so that it is recorded.
            long taken = told.admitted() ? take.cost() + told.ahead() : take.cost();
            units = Math.min(units, taken / take.limit().unitCost());
            untilMicros = Math.min(untilMicros, until(take, told, nowMicros));
        }
        for (int i = 0; i < takes.size(); i++) {
            settle((CounterRequest.Take) takes.get(i), reply.told().get(i), units, nowMicros);
        }
        recorder.of(ruling, check, false, startNanos);
        return new LeaseDecision.Leased(ruling, allowed, units, untilMicros);
    }

    /** Gives back what one limit charged above the units of the lease, and accounts for the units above the check's own cost. */
    private void settle(CounterRequest.Take take, CounterReply told, long units, long nowMicros) {
        if (!told.admitted()) {
            return;
        }
        Limit limit = take.limit();
        long kept = units * limit.unitCost();
        long above = take.cost() + told.ahead() - kept;
        if (above > 0) {
            // It is not waited for: a refund that is lost counts as spent.
            counters.ask(List.of(new CounterRequest.Refund(limit, above, nowMicros)));
        }
        if (kept > take.cost()) {
            usage.charged(limit, kept - take.cost(), nowMicros);
        }
    }

    /** Where the counter gave nothing ahead, the cost may be spent as long as it counts alike. */
    private static long until(CounterRequest.Take take, CounterReply told, long nowMicros) {
        if (told.ahead() > 0) {
            return told.untilMicros();
        }
        Limit limit = take.limit();
        long horizonMicros = nowMicros + take.horizonMicros();
        boolean aligned =
                algorithm(limit) == Algorithm.FIXED_WINDOW || algorithm(limit) == Algorithm.SLIDING_WINDOW_ESTIMATE;
        if (!aligned) {
            return horizonMicros;
        }
        long startMicros = limit.quota().window().startMicros(nowMicros);
        return Math.min(horizonMicros, limit.quota().window().endMicros(startMicros));
    }

    /** The counter with what the client holds beyond the cost of its first check. */
    private static Standing standing(CounterReply told) {
        Standing standing = told.standing();
        return told.ahead() == 0
                ? standing
                : new Standing(standing.limit(), standing.remaining() + told.ahead(), standing.resetAtMicros());
    }

    private static Algorithm algorithm(Limit limit) {
        return limit.policy().limitSpec().algorithm();
    }
}
