package io.meridian.limiter.decide;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.lease.IncarnationChanged;
import io.meridian.limiter.lease.Rebirth;
import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.lease.LeaseUpkeep;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.Timers;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.policy.RulesInEffect;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The decisions of one limiter instance, put together without a container: what the simulation runs. Everything outside is a
 * port.
 */
public final class LimiterCore {
    private final RegionClock clock;
    private final CheckDecider decider;
    private final LeaseUpkeep upkeep;
    private final LeaseVerdicts verdicts;
    private final IncarnationTracker life;

    /**
     * The outside.
     *
     * @param reborn hears when the region's data has begun another life
     */
    public record Ports(
            RulesInEffect rulebooks,
            RegionCounters counters,
            Fallback fallback,
            LeaderContact centre,
            UsageAccounts usage,
            Timers timers,
            TimeSource time,
            Consumer<IncarnationChanged> reborn) {}

    public LimiterCore(Ports ports, LeaseConfig config, LimiterMetrics metrics) {
        clock = new RegionClock(ports.time);
        LeaseTable leases = new LeaseTable(config, metrics);
        GrantWaits grants = new GrantWaits(ports.timers, ports.centre, config, metrics);
        DecisionRecorder aftermath =
                new DecisionRecorder(metrics, ViolationSink.NONE, DecisionLog.NONE, ports.usage, ports.centre, ports.time);
        decider = new CheckDecider(
                ports.rulebooks,
                leases,
                ports.counters,
                ports.fallback,
                clock,
                Optional::empty,
                ports.centre,
                grants,
                aftermath);
        upkeep = new LeaseUpkeep(leases, ports.counters, ports.fallback, clock, ports.usage, metrics);
        verdicts = new LeaseVerdicts(leases, ports.counters, grants, clock);
        life = new IncarnationTracker(new Rebirth(leases, ports.reborn));
    }

    public CompletionStage<CheckResult> check(Check check) {
        return decider.check(check);
    }

    /** To be called again and again. */
    public void upkeep() {
        upkeep.round();
    }

    /** Hands everything back, as an instance does that is stopped. */
    public CompletableFuture<Void> leave() {
        return upkeep.leave();
    }

    public LeaseVerdicts verdicts() {
        return verdicts;
    }

    public IncarnationTracker life() {
        return life;
    }

    public RegionClock clock() {
        return clock;
    }
}
