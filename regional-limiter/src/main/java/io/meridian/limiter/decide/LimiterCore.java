package io.meridian.limiter.decide;

import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.lease.GrantWaits;
import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.lease.LeaseUpkeep;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.Ports.Timers;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.match.Check;
import io.meridian.model.time.TimeSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Decisions of one limiter instance, assembled without a container: production, the simulation and tests build the same object.
 * Everything outside is a port.
 */
public final class LimiterCore {
    private final LocalState local;
    private final CheckDecider decider;
    private final ClientLeaseDecider clientLeases;
    private final LeaseUpkeep upkeep;
    private final LeaseVerdicts verdicts;

    /** State of an instance that its connection to the region updates, and that is therefore there before the connection. */
    public record LocalState(RegionClock clock, LeaseTable leases, IncarnationTracker incarnation) {
        /**
         * The state of an instance that starts.
         *
         * @param changed called when the region's data begins another incarnation
         */
        public static LocalState create(
                LeaseConfig config, LimiterMetrics metrics, TimeSource time, Consumer<IncarnationChanged> changed) {
            LeaseTable leases = new LeaseTable(config, metrics);
            return new LocalState(new RegionClock(time), leases, new IncarnationTracker(leases, changed));
        }
    }

    /** Everything outside of the decisions. */
    public record Outside(
            RulesInEffect rules,
            RegionCounters counters,
            Fallback fallback,
            LeaderContact leader,
            LoadSignal load,
            UsageAccounts usage,
            ViolationSink violations,
            DecisionLog log,
            Timers timers,
            TimeSource time) {
        /** Without adaptive limits and without listeners to refusals and decisions. */
        public static Outside of(
                RulesInEffect rules,
                RegionCounters counters,
                Fallback fallback,
                LeaderContact leader,
                Timers timers,
                TimeSource time) {
            return new Outside(
                    rules,
                    counters,
                    fallback,
                    leader,
                    Optional::empty,
                    UsageAccounts.NONE,
                    ViolationSink.NONE,
                    DecisionLog.NONE,
                    timers,
                    time);
        }
    }

    public LimiterCore(LocalState local, Outside outside, LeaseConfig config, LimiterMetrics metrics) {
        this.local = local;
        LeaseTable leases = local.leases;
        RegionClock clock = local.clock;
        GrantWaits grants = new GrantWaits(outside.timers, outside.leader, config, metrics);
        DecisionRecorder recorder = new DecisionRecorder(
                metrics, outside.violations, outside.log, outside.usage, outside.leader, outside.time);
        decider = new CheckDecider(
                outside.rules,
                leases,
                outside.counters,
                outside.fallback,
                clock,
                outside.load,
                outside.leader,
                grants,
                recorder);
        clientLeases = new ClientLeaseDecider(
                outside.rules,
                leases,
                outside.counters,
                clock,
                outside.load,
                outside.leader,
                outside.usage,
                grants,
                decider,
                recorder);
        upkeep = new LeaseUpkeep(leases, outside.counters, outside.fallback, clock, outside.usage, metrics);
        verdicts = new LeaseVerdicts(leases, outside.counters, grants, clock);
    }

    public CompletionStage<CheckResult> check(Check check) {
        return decider.check(check);
    }

    /** Returns what leases can no longer spend and charges what the fallback admitted. To be called periodically. */
    public void upkeep() {
        upkeep.round();
    }

    /** Returns all leases, as a stopping instance does. */
    public CompletableFuture<Void> leave() {
        return upkeep.leave();
    }

    public CheckDecider decider() {
        return decider;
    }

    public ClientLeaseDecider clientLeases() {
        return clientLeases;
    }

    public LeaseUpkeep leases() {
        return upkeep;
    }

    public LeaseVerdicts verdicts() {
        return verdicts;
    }

    public IncarnationTracker incarnation() {
        return local.incarnation;
    }

    public RegionClock clock() {
        return local.clock;
    }
}
