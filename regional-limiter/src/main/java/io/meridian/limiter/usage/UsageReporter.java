package io.meridian.limiter.usage;

import io.meridian.limiter.decide.RegionBooks.Due;
import io.meridian.limiter.decide.RegionBooks.DueBook;
import io.meridian.limiter.decide.RegionBooks;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.decide.RegionReborn;
import io.meridian.limiter.metrics.UsageLoss;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.policy.Rulebook;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.lease.Lease;
import io.meridian.model.match.Limit;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.usage.SharingMode;
import io.meridian.model.usage.WindowRule;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells the centre what the region used of limits that regions share: takes what is due from the region, hands it to the log, and
 * only when that has acknowledged it, the region forgets that it was due. So nothing is lost whoever dies at whatever step; what
 * is told twice changes nothing. For one thread.
 */
final class UsageReporter {
    private static final long REGION_MILLIS = 1_500;
    /** An announcement is repeated after so many rounds, so that leaders know which regions are there. */
    private static final int ANNOUNCE_ROUNDS = 50;

    private final String region;
    private final UsageConfig config;
    private final RegionBooks books;
    private final Rulebooks rulebooks;
    private final UsageSink log;
    private final UsageMetrics metrics;
    private final Demands demands;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Queue<UsageRecord> lost = new ConcurrentLinkedQueue<>();
    private final RegionClock clock;
    private long announcedLife;
    private int roundsSinceAnnounced;
    private volatile boolean unannounced;

    /** @param clock learns the region's time in every round, so that an instance without checks knows it too */
    UsageReporter(
            String region,
            UsageConfig config,
            RegionBooks books,
            Rulebooks rulebooks,
            UsageSink log,
            RegionClock clock,
            UsageMetrics metrics) {
        this.region = region;
        this.config = config;
        this.books = books;
        this.rulebooks = rulebooks;
        this.log = log;
        this.clock = clock;
        this.metrics = metrics;
        this.demands = new Demands(config.regionalLimitsMax());
    }

    /** What a life that is over had counted, as this instance last heard of it: it may not have been reported. */
    void lost(RegionReborn reborn) {
        RegionIncarnation before = new RegionIncarnation(region, reborn.before());
        for (Lease.Seen seen : reborn.seen()) {
            if (lost.size() >= config.regionalLimitsMax()) {
                metrics.dropped(UsageLoss.FORMER_LIFE, seen.count().net());
                continue;
            }
            Limit limit = seen.limit();
            LimitWindow window = new LimitWindow(limit.policy().id(), limit.key(), seen.startMicros());
            WindowRule rule = WindowRule.of(limit.policy(), limit.quota().capacity());
            lost.add(new UsageRecord(window, before, rule, seen.count(), 0, 0, 0, reborn.life()));
        }
    }

    /** Of several lives that ended while Kafka was away each is told, at most so much of all. */
    private void tellLost() {
        List<UsageRecord> some = new ArrayList<>();
        while (some.size() < config.batchMax() && !lost.isEmpty()) {
            some.add(lost.remove());
        }
        if (!some.isEmpty()) {
            log.write(some).whenComplete((told, failure) -> {
                if (failure != null) {
                    lost.addAll(some);
                }
            });
        }
    }

    /** One round. Fails with an exception that says what is away; the next round begins anew. */
    void round() throws InterruptedException, ExecutionException, TimeoutException {
        tellLost();
        books.life().ifPresent(this::announce);
        if (books.life().isEmpty() || inFlight.get() >= config.batchesInFlight()) {
            return;
        }
        long sentNanos = clock.monotonicNanos();
        Due due = books.due(books.toVisit(), config.batchMax())
                .toCompletableFuture()
                .get(REGION_MILLIS, TimeUnit.MILLISECONDS);
        // Zero where no shard was asked.
        if (due.nowMicros() > 0) {
            clock.learn(due.nowMicros(), sentNanos);
        }
        Rulebook rules = rulebooks.current();
        List<DueBook> told = due.books().stream()
                .filter(book -> rules.policy(book.limit().policyId()).isPresent())
                .toList();
        if (!told.isEmpty()) {
            tell(told, rules, due.nowMicros());
        }
    }

    /** At the start, for each new life of the region's data, and every few seconds; what is not acknowledged is repeated. */
    private void announce(long life) {
        roundsSinceAnnounced++;
        if (life == announcedLife && roundsSinceAnnounced < ANNOUNCE_ROUNDS && !unannounced) {
            return;
        }
        unannounced = false;
        announcedLife = life;
        roundsSinceAnnounced = 0;
        log.announce(new RegionAnnouncement(new RegionIncarnation(region, life), clock.nowMicros()))
                .whenComplete((done, failure) -> unannounced |= failure != null);
    }

    private void tell(List<DueBook> told, Rulebook rules, long nowMicros) {
        List<UsageRecord> records = told.stream()
                .flatMap(book -> record(book, rules, nowMicros).stream())
                .toList();
        inFlight.incrementAndGet();
        written(records).thenCompose(acknowledged -> books.reported(told)).whenComplete((done, failure) -> {
            inFlight.decrementAndGet();
            if (failure == null) {
                metrics.reported(records.size());
            } else {
                metrics.failed();
            }
        });
    }

    private CompletionStage<Void> written(List<UsageRecord> records) {
        try {
            return log.write(records);
        } catch (RuntimeException unexpected) {
            return CompletableFuture.failedFuture(unexpected);
        }
    }

    /**
     * What is to be told of a book, by one who knows its policy. One who does not leaves it to others: it is due again soon, until
     * it ends with its time.
     */
    private Optional<UsageRecord> record(DueBook book, Rulebook rules, long nowMicros) {
        return rules.policy(book.limit().policyId()).map(policy -> {
            long limit = book.ownLimit() > 0
                    ? book.ownLimit()
                    : policy.limitSpec().quota().capacity();
            return new UsageRecord(
                    book.limit(),
                    new RegionIncarnation(region, book.life()),
                    WindowRule.of(policy, limit),
                    book.count(),
                    book.grantReturned(),
                    demands.perSecond(book, SharingMode.of(policy), nowMicros),
                    book.refusedCost(),
                    book.floor(),
                    nowMicros);
        });
    }
}
