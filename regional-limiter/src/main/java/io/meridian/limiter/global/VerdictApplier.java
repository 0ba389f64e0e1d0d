package io.meridian.limiter.global;

import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.VerdictRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Application of verdicts to the region, and then to this instance's leases. Verdicts that the region does not take now wait. For
 * one thread.
 */
final class VerdictApplier {
    private static final long REGION_MILLIS = 1_500;

    private final RegionAccounts accounts;
    private final LeaseVerdicts leases;
    private final LeaderTracker contact;
    private final RegionClock clock;
    private final UsageMetrics metrics;
    private final long intervalMicros;
    private final VerdictQueue queue;

    VerdictApplier(
            String region,
            RegionAccounts accounts,
            LeaseVerdicts leases,
            LeaderTracker contact,
            RegionClock clock,
            UsageMetrics metrics,
            Duration interval) {
        this.accounts = accounts;
        this.leases = leases;
        this.contact = contact;
        this.clock = clock;
        this.metrics = metrics;
        this.intervalMicros = TimeUnit.NANOSECONDS.toMicros(interval.toNanos());
        this.queue = new VerdictQueue(region, accounts, clock::nowMicros);
    }

    void heard(VerdictRecord verdict) {
        if (queue.add(verdict)) {
            contact.heard(verdict);
        }
    }

    /** Applies all that waits for this incarnation. Fails if the region does not take it; then it goes on waiting. */
    void apply() throws InterruptedException, ExecutionException, TimeoutException {
        for (List<VerdictRecord> some = queue.next(); !some.isEmpty(); some = queue.next()) {
            accounts.apply(some).toCompletableFuture().get(REGION_MILLIS, TimeUnit.MILLISECONDS);
            queue.taken(some);
            some.forEach(this::applied);
            metrics.applied(some.size());
        }
    }

    private void applied(VerdictRecord verdict) {
        leases.apply(verdict);
        if (verdict.echoMicros() > 0) {
            contact.looped(Math.max(0, clock.nowMicros() - verdict.echoMicros()) + intervalMicros);
        }
    }

    /**
     * Queue of verdicts that the region has not taken yet: of each incarnation, limit and window the last. Bounded by the number of
     * limits.
     */
    static final class VerdictQueue {
        private static final int AT_ONCE = 200;
        private static final int MAX = 200_000;
        /** A clock that runs ahead takes a window for over too early, and may be set right again: so long it is heard of all the same. */
        private static final long AHEAD_MICROS = TimeUnit.SECONDS.toMicros(10);

        private final String region;
        private final RegionAccounts accounts;
        private final LongSupplier nowMicros;
        private final Map<Told, VerdictRecord> waiting = new LinkedHashMap<>();

        /** Key of a verdict: a later one takes the place of an earlier one. */
        private record Told(LimitWindow limit, RegionIncarnation incarnation) {
            static Told of(VerdictRecord verdict) {
                return new Told(verdict.limit(), verdict.incarnation());
            }
        }

        VerdictQueue(String region, RegionAccounts accounts, LongSupplier nowMicros) {
            this.region = region;
            this.accounts = accounts;
            this.nowMicros = nowMicros;
        }

        /**
         * Whether it is taken up. What is for an earlier incarnation of this region is nobody's here; nor is what is over. What is for an incarnation
         * that this instance has not heard of yet, because it has just started or another began it, waits until it has: it is not told
         * again.
         */
        boolean add(VerdictRecord verdict) {
            boolean ours = verdict.incarnation().region().equals(region)
                    && verdict.incarnation().number() >= accounts.incarnation().orElse(0)
                    && toldUntilMicros(verdict) > nowMicros.getAsLong();
            Told told = Told.of(verdict);
            if (!ours || (waiting.size() >= MAX && !waiting.containsKey(told))) {
                return false;
            }
            waiting.put(told, verdict);
            return true;
        }

        /** Verdicts to apply next. Drops verdicts on expired windows and on ended incarnations. */
        List<VerdictRecord> next() {
            OptionalLong incarnation = accounts.incarnation();
            if (incarnation.isEmpty() || waiting.isEmpty()) {
                return List.of();
            }
            long now = nowMicros.getAsLong();
            waiting.values()
                    .removeIf(each ->
                            each.incarnation().number() < incarnation.getAsLong() || toldUntilMicros(each) <= now);
            return waiting.values().stream()
                    .filter(each -> each.incarnation().number() == incarnation.getAsLong())
                    .limit(AT_ONCE)
                    .toList();
        }

        void taken(List<VerdictRecord> some) {
            some.forEach(each -> waiting.remove(Told.of(each)));
        }

        private static long toldUntilMicros(VerdictRecord verdict) {
            return AHEAD_MICROS
                    + verdict.rule().countedUntilMicros(verdict.limit().startMicros());
        }
    }
}
