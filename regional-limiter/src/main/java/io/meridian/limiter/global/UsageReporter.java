package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.metrics.UsageMetrics.UsageLoss;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionAccounts.DueAccount;
import io.meridian.limiter.region.RegionAccounts.DueAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.rules.RegionRules;
import io.meridian.limiter.rules.RulesInEffect;
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
 * Reports of the region's use of global limits: takes due accounts from the region, writes them to the log, and only when that has
 * acknowledged them, marks them as reported. So nothing is lost whichever process dies at whatever step; a repeated report changes
 * nothing. For one thread.
 */
final class UsageReporter {
    private static final long REGION_MILLIS = 1_500;
    /** An announcement is repeated after so many rounds, so that leaders know which regions are there. */
    private static final int ANNOUNCE_ROUNDS = 50;

    private final String region;
    private final UsageConfig config;
    private final RegionAccounts accounts;
    private final RulesInEffect rulesInEffect;
    private final UsageSink log;
    private final UsageMetrics metrics;
    private final DemandEstimator demands;
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
            RegionAccounts accounts,
            RulesInEffect rulesInEffect,
            UsageSink log,
            RegionClock clock,
            UsageMetrics metrics) {
        this.region = region;
        this.config = config;
        this.accounts = accounts;
        this.rulesInEffect = rulesInEffect;
        this.log = log;
        this.clock = clock;
        this.metrics = metrics;
        this.demands = new DemandEstimator(config.regionalLimitsMax());
    }

    /** Queues the counts of an ended incarnation, as last seen by this instance, because they may not have been reported. */
    void lost(IncarnationChanged change) {
        RegionIncarnation before = new RegionIncarnation(region, change.before());
        for (Lease.Seen seen : change.seen()) {
            if (lost.size() >= config.regionalLimitsMax()) {
                metrics.dropped(UsageLoss.FORMER_LIFE, seen.count().net());
                continue;
            }
            Limit limit = seen.limit();
            LimitWindow window = new LimitWindow(limit.policy().id(), limit.key(), seen.startMicros());
            WindowRule rule = WindowRule.of(limit.policy(), limit.quota().capacity());
            lost.add(new UsageRecord(window, before, rule, seen.count(), 0, 0, 0, change.incarnation()));
        }
    }

    /** Of several incarnations that ended while Kafka was away each is told, at most so much of all. */
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
        accounts.incarnation().ifPresent(this::announce);
        if (accounts.incarnation().isEmpty() || inFlight.get() >= config.batchesInFlight()) {
            return;
        }
        long sentNanos = clock.monotonicNanos();
        DueAccounts due = accounts.due(accounts.toVisit(), config.batchMax())
                .toCompletableFuture()
                .get(REGION_MILLIS, TimeUnit.MILLISECONDS);
        // Zero where no shard was asked.
        if (due.nowMicros() > 0) {
            clock.learn(due.nowMicros(), sentNanos);
        }
        RegionRules rules = rulesInEffect.current();
        List<DueAccount> told = due.accounts().stream()
                .filter(account -> rules.policy(account.limit().policyId()).isPresent())
                .toList();
        if (!told.isEmpty()) {
            tell(told, rules, due.nowMicros());
        }
    }

    /** At the start, for each new incarnation of the region's data, and every few seconds; what is not acknowledged is repeated. */
    private void announce(long incarnation) {
        roundsSinceAnnounced++;
        if (incarnation == announcedLife && roundsSinceAnnounced < ANNOUNCE_ROUNDS && !unannounced) {
            return;
        }
        unannounced = false;
        announcedLife = incarnation;
        roundsSinceAnnounced = 0;
        log.announce(new RegionAnnouncement(new RegionIncarnation(region, incarnation), clock.nowMicros()))
                .whenComplete((done, failure) -> unannounced |= failure != null);
    }

    private void tell(List<DueAccount> told, RegionRules rules, long nowMicros) {
        List<UsageRecord> records = told.stream()
                .flatMap(account -> record(account, rules, nowMicros).stream())
                .toList();
        inFlight.incrementAndGet();
        written(records).thenCompose(acknowledged -> accounts.reported(told)).whenComplete((done, failure) -> {
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
     * Usage record of an account; empty if this instance does not know its policy. Such an account is left to other instances: it is due
     * again soon, until it expires.
     */
    private Optional<UsageRecord> record(DueAccount account, RegionRules rules, long nowMicros) {
        return rules.policy(account.limit().policyId()).map(policy -> {
            long limit = account.ownLimit() > 0
                    ? account.ownLimit()
                    : policy.limitSpec().quota().capacity();
            return new UsageRecord(
                    account.limit(),
                    new RegionIncarnation(region, account.incarnation()),
                    WindowRule.of(policy, limit),
                    account.count(),
                    account.grantReturned(),
                    demands.perSecond(account, SharingMode.of(policy), nowMicros),
                    account.refusedCost(),
                    account.floor(),
                    nowMicros);
        });
    }
}
