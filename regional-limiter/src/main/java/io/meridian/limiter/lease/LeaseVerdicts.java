package io.meridian.limiter.lease;

import io.meridian.limiter.region.LimitId;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.lease.Lease;
import io.meridian.model.wire.VerdictRecord;
import java.util.List;
import java.util.Optional;

/**
 * Effect of applied verdicts on this instance's leases: a refusal is no longer remembered, and what is leased of a limit that is
 * reached everywhere, or that is called back, is returned at once. A verdict on another window than the open one changes the
 * region's accounts alone.
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
