package io.meridian.limiter.decide;

import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.algorithm.CounterState;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.counter.CounterReply;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.decision.Decision.LimitDecision;
import io.meridian.model.decision.MultiLimit;
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

/** What looks at or corrects counters outside a decision: status, refund, reset. Answers with the limits as they stand. */
@Singleton
class Amendments {
    private final Rulebooks rulebooks;
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final Load load;
    private final Usage usage;

    Amendments(
            Rulebooks rulebooks,
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            Load load,
            Usage usage) {
        this.rulebooks = rulebooks;
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.load = load;
        this.usage = usage;
    }

    CompletionStage<Ruling> status(Check check) {
        return status(limits(check));
    }

    CompletionStage<Ruling> refund(Check check) {
        long nowMicros = clock.nowMicros();
        return ask(forgotten(limits(check)), limit -> new CounterRequest.Refund(limit, limit.cost(), nowMicros));
    }

    /** This instance's leases on the limits end with it; those of others within their horizon. */
    CompletionStage<Ruling> reset(Check check) {
        return reset(limits(check));
    }

    CompletionStage<Ruling> status(List<Limit> limits) {
        return ask(limits, limit -> new CounterRequest.Peek(limit, Math.max(limit.cost(), limit.unitCost())));
    }

    CompletionStage<Ruling> reset(List<Limit> known) {
        List<Limit> limits = forgotten(known);
        limits.forEach(limit -> leases.of(limit).release(clock.nowMicros(), true));
        return ask(limits, CounterRequest.Reset::new);
    }

    List<Limit> clientLimits(Check client, boolean endpointKnown) {
        return rulebooks.current().clientLimits(client, endpointKnown, load.percent(), clock.nowMicros());
    }

    Optional<String> tier(Check check) {
        return rulebooks.current().tier(check, clock.nowMicros());
    }

    List<Limit> limits(Check check) {
        return rulebooks.current().limits(check, load.percent(), clock.nowMicros());
    }

    CompletionStage<Ruling> ask(List<Limit> limits, Function<Limit, CounterRequest> question) {
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
            usage.gaveBack(back.limit(), back.cost(), back.takenMicros());
        } else if (ask instanceof CounterRequest.Charge settle) {
            usage.took(settle.limit(), settle.cost(), nowMicros);
        }
    }

    List<Limit> forgotten(List<Limit> limits) {
        limits.forEach(limit -> leases.of(limit).forget());
        return limits;
    }

    private Ruling ruling(List<Limit> limits, List<CounterReply> told, DecidedBy by, long nowMicros) {
        List<LimitDecision> evaluated = new ArrayList<>(limits.size());
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            CounterReply each = told.get(i);
            evaluated.add(new LimitDecision(
                    limit, each.admitted(), ours(limit, each, nowMicros), each.waitMicros(), CounterState.UNTOUCHED));
        }
        List<Optional<CounterReply.GlobalUsage>> shared =
                told.stream().map(each -> Optional.ofNullable(each.globalUsage())).toList();
        List<DecidedBy> decidedBy = shared.stream()
                .map(each -> each.isPresent() ? DecidedBy.GLOBAL : by)
                .toList();
        return new Ruling.Decided(MultiLimit.compose(evaluated), decidedBy, nowMicros, shared);
    }

    /** What this instance holds is not used yet. */
    private Standing ours(Limit limit, CounterReply told, long nowMicros) {
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
