package io.meridian.limiter.usage;

import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.model.wire.VerdictRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Brings verdicts to the region, and then to this instance's leases. What the region does not take now waits. For one thread. */
final class VerdictApplier {
    private static final long REGION_MILLIS = 1_500;

    private final RegionAccounts books;
    private final LeaseVerdicts leases;
    private final CentreContact contact;
    private final RegionClock clock;
    private final UsageMetrics metrics;
    private final long intervalMicros;
    private final VerdictQueue queue;

    VerdictApplier(
            String region,
            RegionAccounts books,
            LeaseVerdicts leases,
            CentreContact contact,
            RegionClock clock,
            UsageMetrics metrics,
            Duration interval) {
        this.books = books;
        this.leases = leases;
        this.contact = contact;
        this.clock = clock;
        this.metrics = metrics;
        this.intervalMicros = TimeUnit.NANOSECONDS.toMicros(interval.toNanos());
        this.queue = new VerdictQueue(region, books, clock::nowMicros);
    }

    void heard(VerdictRecord verdict) {
        if (queue.add(verdict)) {
            contact.heard(verdict);
        }
    }

    /** Applies all that waits for this life. Fails if the region does not take it; then it goes on waiting. */
    void apply() throws InterruptedException, ExecutionException, TimeoutException {
        for (List<VerdictRecord> some = queue.next(); !some.isEmpty(); some = queue.next()) {
            books.hear(some).toCompletableFuture().get(REGION_MILLIS, TimeUnit.MILLISECONDS);
            queue.taken(some);
            some.forEach(this::applied);
            metrics.heard(some.size());
        }
    }

    private void applied(VerdictRecord verdict) {
        leases.heard(verdict);
        if (verdict.echoMicros() > 0) {
            contact.looped(Math.max(0, clock.nowMicros() - verdict.echoMicros()) + intervalMicros);
        }
    }
}
