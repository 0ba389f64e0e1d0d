package io.meridian.limiter.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.metrics.LeaseMetrics;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.LimitId;
import io.meridian.model.counter.CounterRequest;
import io.meridian.model.lease.Lease;
import io.meridian.model.lease.LeaseRules;
import io.meridian.model.match.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Leases of this instance, by limit. Bounded: a forgotten lease is still given back, for it stays among the holders. */
public final class LeaseTable {
    /** Leases have no order of their own: a history that is played again would else be another. */
    private static final Comparator<CounterRequest.Refund> BY_LIMIT = Comparator.comparing(
                    (CounterRequest.Refund rest) -> rest.limit().policy().id())
            .thenComparing(rest -> rest.limit().key());

    private final LeaseMetrics metrics;
    private final LeaseRules rules;
    private final Cache<LimitId, Lease> leases;
    private final Set<Lease> holders = ConcurrentHashMap.newKeySet();

    public LeaseTable(LeaseConfig config, LimiterMetrics metrics) {
        this.metrics = metrics.leases();
        this.metrics.held(holders::size);
        this.rules = new LeaseRules(
                TimeUnit.NANOSECONDS.toMicros(config.horizonMax().toNanos()),
                TimeUnit.NANOSECONDS.toMicros(config.memory().toNanos()));
        this.leases = Caffeine.newBuilder()
                .maximumSize(config.tableSize())
                // Its upkeep is short; waking another thread for it costs more, and takes a core from an event loop.
                .executor(Runnable::run)
                .build();
    }

    public Lease of(Limit limit) {
        LimitId id = LimitId.of(limit);
        Lease known = leases.getIfPresent(id);
        return known != null ? known : leases.get(id, absent -> new Lease(rules));
    }

    /** To be called when a lease has got more to hold, so that the rest of it will be given back. */
    public void holding(Lease lease, long units) {
        holders.add(lease);
        metrics.acquired(units);
    }

    /** The lease of a limit, if this instance knows it. */
    public Optional<Lease> find(LimitId id) {
        return Optional.ofNullable(leases.getIfPresent(id));
    }

    /** Invalidates all leases: the counters that they were taken from are gone. */
    void invalidateAll() {
        leases.asMap().values().forEach(Lease::invalidate);
        holders.forEach(Lease::invalidate);
    }

    /** The region's counts of global limits, as last seen by this instance. */
    List<Lease.Seen> seen() {
        return leases.asMap().values().stream()
                .map(Lease::seen)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Refunds of leased units that can no longer be spent, or of all units if {@code atOnce}. */
    public List<CounterRequest.Refund> release(long nowMicros, boolean atOnce) {
        List<CounterRequest.Refund> released = new ArrayList<>();
        List<Lease> empty = new ArrayList<>();
        for (Lease lease : holders) {
            CounterRequest.Refund rest = lease.release(nowMicros, atOnce);
            if (rest != null) {
                released.add(rest);
                metrics.returned(rest.cost());
            }
            if (!lease.holds()) {
                empty.add(lease);
            }
        }
        empty.forEach(this::letGo);
        released.sort(BY_LIMIT);
        return released;
    }

    /** A lease may be filled between two looks: then it is a holder again. */
    private void letGo(Lease lease) {
        holders.remove(lease);
        if (lease.holds()) {
            holders.add(lease);
        }
    }
}
