package io.meridian.limiter.usage;

import io.meridian.limiter.decide.RegionBooks;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.decide.VerdictHearer;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Sharing;
import io.meridian.model.wire.VerdictRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Brings verdicts to the region, the last of each limit and window, and then to this instance's leases. What the region does not
 * take now waits, bounded by the number of limits; a later verdict replaces an earlier one. For one thread.
 */
final class VerdictApplier {
    private static final int AT_ONCE = 200;
    private static final int WAITING_MAX = 200_000;
    private static final long REGION_MILLIS = 1_500;

    private final String region;
    private final RegionBooks books;
    private final VerdictHearer leases;
    private final CentreContact contact;
    private final RegionClock clock;
    private final UsageMetrics metrics;
    private final long intervalMicros;
    private final Map<LimitWindow, VerdictRecord> waiting = new LinkedHashMap<>();

    VerdictApplier(
            String region,
            RegionBooks books,
            VerdictHearer leases,
            CentreContact contact,
            RegionClock clock,
            UsageMetrics metrics,
            Duration interval) {
        this.region = region;
        this.books = books;
        this.leases = leases;
        this.contact = contact;
        this.clock = clock;
        this.metrics = metrics;
        this.intervalMicros = TimeUnit.NANOSECONDS.toMicros(interval.toNanos());
    }

    /** What is not for this life of this region is nobody's here; nor is what is over. */
    void heard(VerdictRecord verdict) {
        OptionalLong life = books.life();
        boolean ours = verdict.life().region().equals(region)
                && life.isPresent()
                && verdict.life().incarnation() == life.getAsLong()
                && toldUntilMicros(verdict) > clock.nowMicros();
        if (ours && (waiting.size() < WAITING_MAX || waiting.containsKey(verdict.limit()))) {
            contact.heard(verdict);
            waiting.put(verdict.limit(), verdict);
        }
    }

    /** What slides or drains is charged with the end of a period in the one after it. */
    private static long toldUntilMicros(VerdictRecord verdict) {
        long end = verdict.rule().endMicros(verdict.limit().startMicros());
        return verdict.rule().sharing() == Sharing.CONVERGE_RATE
                ? verdict.rule().endMicros(end)
                : end;
    }

    /** Applies all that waits. Fails if the region does not take it; then it goes on waiting. */
    void apply() throws InterruptedException, ExecutionException, TimeoutException {
        while (!waiting.isEmpty()) {
            List<VerdictRecord> some = new ArrayList<>(waiting.values()).subList(0, Math.min(AT_ONCE, waiting.size()));
            books.hear(some).toCompletableFuture().get(REGION_MILLIS, TimeUnit.MILLISECONDS);
            long nowMicros = clock.nowMicros();
            for (VerdictRecord verdict : some) {
                waiting.remove(verdict.limit());
                leases.heard(verdict);
                if (verdict.echoMicros() > 0) {
                    contact.looped(Math.max(0, nowMicros - verdict.echoMicros()) + intervalMicros);
                }
            }
            metrics.heard(some.size());
        }
    }
}
