package io.meridian.limiter.decide;

import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.model.lease.Ask;
import io.meridian.model.policy.Policy;
import io.meridian.model.policy.Scope;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** What an instance does again and again: gives back what leases can no longer spend, and charges what the fallback admitted. */
@Singleton
class Upkeep {
    private static final int SETTLED_PER_ROUND = 1_000;

    private final LeaseTable leases;
    private final RegionCounters counters;
    private final Fallback fallback;
    private final RegionClock clock;
    private final Usage usage;
    private final LimiterMetrics metrics;

    Upkeep(
            LeaseTable leases,
            RegionCounters counters,
            Fallback fallback,
            RegionClock clock,
            Usage usage,
            LimiterMetrics metrics) {
        this.leases = leases;
        this.counters = counters;
        this.fallback = fallback;
        this.clock = clock;
        this.usage = usage;
        this.metrics = metrics;
    }

    void round() {
        metrics.redis().clockOffset(clock.aheadMicros());
        leases.release(clock.nowMicros(), false).forEach(rest -> counters.ask(List.of(rest)));
        fallback.owed(SETTLED_PER_ROUND).forEach(this::settle);
    }

    /** Completes when it is charged, or is owed again. */
    private CompletionStage<Void> settle(Ask.Settle settle) {
        if (isOver(settle)) {
            usage.took(settle.limit(), settle.cost(), settle.takenMicros());
            return CompletableFuture.completedFuture(null);
        }
        return counters.ask(List.of(settle)).handle((reply, away) -> {
            if (away == null) {
                metrics.fallback().settled(settle.cost());
                usage.took(settle.limit(), settle.cost(), settle.takenMicros());
            } else {
                fallback.owe(settle);
            }
            return null;
        });
    }

    /** What a region's own window had admitted when it ended is on record, and no later window pays for it. */
    private boolean isOver(Ask.Settle settle) {
        Policy policy = settle.limit().policy();
        return policy.coordination().scope() == Scope.REGIONAL
                && policy.counting().algorithm().isWindowed()
                && settle.limit().terms().window().endMicros(settle.takenMicros()) <= clock.nowMicros();
    }

    /** An instance that leaves hands everything back and pays what it owes, so that a restart costs no one anything. Completes with that. */
    CompletableFuture<Void> leave() {
        Stream<CompletionStage<?>> back =
                leases.release(clock.nowMicros(), true).stream().map(rest -> counters.ask(List.of(rest)));
        Stream<CompletionStage<?>> paid =
                fallback.owed(SETTLED_PER_ROUND).stream().map(this::settle);
        return CompletableFuture.allOf(Stream.concat(back, paid)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new));
    }
}
