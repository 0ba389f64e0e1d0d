package io.meridian.limiter.lease;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.policy.Coordination.Scope;
import io.meridian.model.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Periodic return of leased units that can no longer be spent, and charge of units that the fallback admitted. */
public final class LeaseUpkeep {
    /** How many requests are under way at once: a lane to the region takes no more than some thousands. */
    private static final int AT_ONCE = 1_000;

    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final UsageAccounts usage;
    private final LimiterMetrics metrics;

    public LeaseUpkeep(
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            UsageAccounts usage,
            LimiterMetrics metrics) {
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.usage = usage;
        this.metrics = metrics;
    }

    public void round() {
        metrics.redis().clockOffset(clock.aheadMicros());
        leases.release(clock.nowMicros(), false).forEach(rest -> counters.ask(List.of(rest)));
        recorded().forEach(this::settle);
    }

    /** Some of what is owed. What is owed to windows that are over is put on record on the way, for that takes no asking. */
    private List<CounterRequest.Charge> recorded() {
        List<CounterRequest.Charge> open = new ArrayList<>();
        for (List<CounterRequest.Charge> some = fallback.pendingCharges(AT_ONCE);
                !some.isEmpty();
                some = fallback.pendingCharges(AT_ONCE - open.size())) {
            for (CounterRequest.Charge settle : some) {
                if (isOver(settle)) {
                    usage.charged(settle.limit(), settle.cost(), settle.takenMicros());
                } else {
                    open.add(settle);
                }
            }
        }
        return open;
    }

    /** Completes when it is charged, true, or is owed again. */
    private CompletionStage<Boolean> settle(CounterRequest.Charge settle) {
        return counters.ask(List.of(settle)).handle((reply, away) -> {
            if (away == null) {
                metrics.fallback().settled(settle.cost());
                usage.charged(settle.limit(), settle.cost(), settle.takenMicros());
            } else {
                fallback.returnCharge(settle);
            }
            return away == null;
        });
    }

    /** Whether a charge is for an ended window of a regional limit. It is then only recorded as usage: no later window pays for it. */
    private boolean isOver(CounterRequest.Charge settle) {
        Policy policy = settle.limit().policy();
        return policy.coordination().scope() == Scope.REGIONAL
                && policy.limitSpec().algorithm().isWindowed()
                && settle.limit().quota().window().endMicros(settle.takenMicros()) <= clock.nowMicros();
    }

    /** An instance that leaves hands everything back and pays what it owes, so that a restart costs no one anything. Completes with that. */
    public CompletableFuture<Void> leave() {
        return CompletableFuture.allOf(givenBack(leases.release(clock.nowMicros(), true)), paid());
    }

    private CompletableFuture<Void> givenBack(List<CounterRequest.Refund> rests) {
        if (rests.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        int some = Math.min(AT_ONCE, rests.size());
        return all(rests.subList(0, some), rest -> counters.ask(List.of(rest)))
                .thenCompose(back -> givenBack(rests.subList(some, rests.size())));
    }

    /** Pays until nothing is owed, or the region is away. */
    private CompletableFuture<Void> paid() {
        List<CounterRequest.Charge> open = recorded();
        List<CompletionStage<Boolean>> charged = open.stream().map(this::settle).toList();
        return all(charged, each -> each)
                .thenCompose(done -> !open.isEmpty()
                                && charged.stream().allMatch(each -> each.toCompletableFuture()
                                        .join())
                        ? paid()
                        : CompletableFuture.completedFuture(null));
    }

    private static <T> CompletableFuture<Void> all(List<T> some, Function<T, CompletionStage<?>> done) {
        return CompletableFuture.allOf(some.stream()
                .map(each -> done.apply(each).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
