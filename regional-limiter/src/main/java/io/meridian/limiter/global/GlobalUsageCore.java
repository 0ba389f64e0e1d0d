package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.wire.VerdictRecord;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Usage reports and verdicts of one limiter instance, assembled without a container: production and the simulation build the same object. */
public final class GlobalUsageCore {
    private final UsageReporter reporter;
    private final VerdictApplier applier;
    private final LeaderTracker contact;

    public GlobalUsageCore(
            String region,
            UsageConfig config,
            RegionAccounts accounts,
            RulesInEffect rulesInEffect,
            UsageSink log,
            LeaseVerdicts leases,
            LeaderTracker contact,
            RegionClock clock,
            LimiterMetrics metrics) {
        this.contact = contact;
        reporter = new UsageReporter(region, config, accounts, rulesInEffect, log, clock, metrics.usage());
        applier = new VerdictApplier(region, accounts, leases, contact, clock, metrics.usage(), config.interval());
    }

    UsageReporter reporter() {
        return reporter;
    }

    VerdictApplier applier() {
        return applier;
    }

    /** One round of reports. Fails with an exception that says what is away; the next round begins anew. */
    public void report() throws InterruptedException, ExecutionException, TimeoutException {
        reporter.round();
    }

    /** An incarnation of the region's data is over. */
    public void lost(IncarnationChanged change) {
        reporter.lost(change);
    }

    /** A leader spoke, if only to say that it is there. */
    public void heard(int partition) {
        contact.heard(partition);
    }

    public void heard(VerdictRecord verdict) {
        applier.heard(verdict);
    }

    /** Brings what was heard to the region. Fails if that does not take it; then it waits. */
    public void apply() throws InterruptedException, ExecutionException, TimeoutException {
        applier.apply();
    }
}
