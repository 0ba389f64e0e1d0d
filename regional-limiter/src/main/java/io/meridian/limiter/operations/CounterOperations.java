package io.meridian.limiter.operations;

import io.meridian.limiter.decide.CheckResult;
import io.meridian.limiter.decide.CheckResult.DecidedBy;
import io.meridian.limiter.decide.CheckResult.LimitResult;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.lease.Lease;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Reads and corrections of counters outside of a decision: status, refund, reset. Answers with the limits as they stand. */
@Singleton
public class CounterOperations {
    private final RulesInEffect rulesInEffect;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final LoadSignal load;
    private final UsageAccounts usage;

    public CounterOperations(
            RulesInEffect rulesInEffect,
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            LoadSignal load,
            UsageAccounts usage) {
        this.rulesInEffect = rulesInEffect;
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.load = load;
        this.usage = usage;
    }

    CompletionStage<CheckResult> status(Check check) {
        return status(limits(check));
    }

    CompletionStage<CheckResult> refund(Check check) {
        long nowMicros = clock.nowMicros();
        return ask(forgetRefusals(limits(check)), limit -> new CounterRequest.Refund(limit, limit.cost(), nowMicros));
    }

    /** This instance's leases on the limits end with it; those of others within their horizon. */
    CompletionStage<CheckResult> reset(Check check) {
        return reset(limits(check));
    }

    CompletionStage<CheckResult> status(List<Limit> limits) {
        return ask(limits, limit -> new CounterRequest.Peek(limit, Math.max(limit.cost(), limit.unitCost())));
    }

    CompletionStage<CheckResult> reset(List<Limit> known) {
        List<Limit> limits = forgetRefusals(known);
        limits.forEach(limit -> leases.of(limit).release(clock.nowMicros(), true));
        return ask(limits, CounterRequest.Reset::new);
    }

    long leased(Limit limit) {
        return leases.find(LimitId.of(limit))
                .map(lease -> lease.units(limit, clock.nowMicros()))
                .orElse(0L);
    }

    List<Limit> clientLimits(Check client, boolean endpointKnown) {
        return rulesInEffect.current().clientLimits(client, endpointKnown, load.percent(), clock.nowMicros());
    }

    Optional<String> tier(Check check) {
        return rulesInEffect.current().tier(check, clock.nowMicros());
    }

    List<Limit> limits(Check check) {
        return rulesInEffect.current().limits(check, load.percent(), clock.nowMicros());
    }

    public CompletionStage<CheckResult> ask(List<Limit> limits, Function<Limit, CounterRequest> question) {
        List<CounterRequest> asks = limits.stream().map(question).toList();
        if (asks.isEmpty()) {
            return CompletableFuture.completedFuture(ruling(List.of(), List.of(), DecidedBy.REGION, clock.nowMicros()));
        }
        return counters.ask(asks).handle((reply, away) -> {
            if (away == null) {
                asks.forEach(ask -> account(ask, reply.nowMicros()));
                return ruling(limits, reply.told(), DecidedBy.REGION, reply.nowMicros());
            }
            long nowMicros = clock.nowMicros();
            return ruling(limits, fallback.answer(asks, nowMicros), DecidedBy.FALLBACK, nowMicros);
        });
    }

    private void account(CounterRequest ask, long nowMicros) {
        if (ask instanceof CounterRequest.Refund back) {
            usage.refunded(back.limit(), back.cost(), back.takenMicros());
        } else if (ask instanceof CounterRequest.Charge settle) {
            usage.charged(settle.limit(), settle.cost(), nowMicros);
        }
    }

    List<Limit> forgetRefusals(List<Limit> limits) {
        limits.forEach(limit -> leases.of(limit).forget());
        return limits;
    }

    private CheckResult ruling(List<Limit> limits, List<CounterReply> told, DecidedBy by, long nowMicros) {
        List<LimitResult> results = new ArrayList<>(limits.size());
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            CounterReply each = told.get(i);
            results.add(LimitResult.of(limit, each, withLease(limit, each, nowMicros), by));
        }
        return CheckResult.Decided.of(results, nowMicros);
    }

    /** The standing with the units that this instance holds and has not used. */
    private Standing withLease(Limit limit, CounterReply told, long nowMicros) {
        Lease lease = leases.of(limit);
        Standing standing = told.standing();
        long units = lease.units(limit, nowMicros);
        return units == 0
                ? standing
                : new Standing(
                        standing.limit(),
                        Math.min(standing.limit(), standing.remaining() + units),
                        standing.resetAtMicros());
    }
}
