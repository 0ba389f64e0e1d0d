package io.meridian.limiter.lease;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.lease.Lease;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;
import java.util.Optional;

/**
 * Has this instance's leases follow a verdict that the region has taken: a refusal is no longer believed, and what is held of a
 * limit that the world has reached, or that is called back, goes back at once. What is said of another window than the one that is open
 * is for the region's books alone.
 */
public final class LeaseVerdicts {
    private final LeaseTable leases;
    private final RegionCounters counters;
    private final GrantWaits grants;
    private final RegionClock clock;

    public LeaseVerdicts(LeaseTable leases, RegionCounters counters, GrantWaits grants, RegionClock clock) {
        this.leases = leases;
        this.counters = counters;
        this.grants = grants;
        this.clock = clock;
    }

    public void apply(VerdictRecord verdict) {
        LimitId id = new LimitId(verdict.limit().policyId(), verdict.limit().key());
        boolean open = isOpen(verdict, clock.nowMicros());
        Optional<Lease> known = leases.find(id);
        known.ifPresent(lease -> {
            lease.forget();
            if (open && (verdict.blocked() || verdict.keep() != VerdictRecord.KEEP_ALL)) {
                Optional.ofNullable(lease.release(clock.nowMicros(), true))
                        .ifPresent(rest -> counters.ask(List.of(rest)));
            }
        });
        if (open) {
            grants.changed(id);
        }
    }

    private static boolean isOpen(VerdictRecord verdict, long nowMicros) {
        long start = verdict.limit().startMicros();
        return nowMicros >= start && nowMicros < verdict.rule().endMicros(start);
    }
}
