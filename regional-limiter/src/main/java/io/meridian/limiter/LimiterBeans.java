package io.meridian.limiter;

import io.meridian.limiter.LimiterConfig.DecisionLogConfig;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.CheckDecider;
import io.meridian.limiter.decide.ClientLeaseDecider;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.decide.LimiterCore;
import io.meridian.limiter.decisionlog.SampledDecisionLog;
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
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Wiring of a limiter in its container: the assembled core and its parts, and timers. */
@Singleton
class LimiterBeans {
    @Produces
    @Singleton
    Timers timers(Vertx vertx) {
        return (millis, task) -> vertx.setTimer(millis, due -> task.run());
    }

    @Produces
    @Singleton
    LimiterCore.LocalState local(
            LeaseConfig config, LimiterMetrics metrics, TimeSource time, Event<IncarnationChanged> changed) {
        return LimiterCore.LocalState.create(config, metrics, time, changed::fire);
    }

    @Produces
    @Singleton
    RegionClock clock(LimiterCore.LocalState local) {
        return local.clock();
    }

    @Produces
    @Singleton
    LeaseTable leases(LimiterCore.LocalState local) {
        return local.leases();
    }

    @Produces
    @Singleton
    IncarnationTracker incarnation(LimiterCore.LocalState local) {
        return local.incarnation();
    }

    @Produces
    @Singleton
    LimiterCore core(
            LimiterCore.LocalState local,
            RulesInEffect rules,
            RegionCounters counters,
            Fallback fallback,
            LeaderContact leader,
            LoadSignal load,
            UsageAccounts usage,
            ViolationSink violations,
            DecisionLog log,
            Timers timers,
            TimeSource time,
            LeaseConfig config,
            LimiterMetrics metrics) {
        LimiterCore.Outside outside =
                new LimiterCore.Outside(rules, counters, fallback, leader, load, usage, violations, log, timers, time);
        return new LimiterCore(local, outside, config, metrics);
    }

    @Produces
    @Singleton
    CheckDecider decider(LimiterCore core) {
        return core.decider();
    }

    @Produces
    @Singleton
    ClientLeaseDecider clientLeases(LimiterCore core) {
        return core.clientLeases();
    }

    @Produces
    @Singleton
    LeaseUpkeep upkeep(LimiterCore core) {
        return core.leases();
    }

    @Produces
    @Singleton
    LeaseVerdicts leaseVerdicts(LimiterCore core) {
        return core.verdicts();
    }

    @Produces
    @Singleton
    @Startup
    DecisionLog decisionLog(DecisionLogConfig config, LimiterConfig limiter, LimiterMetrics metrics, TimeSource time) {
        return SampledDecisionLog.create(config, limiter.region(), metrics, time);
    }

    void stop(@Disposes DecisionLog log) {
        if (log instanceof SampledDecisionLog sampled) {
            sampled.close();
        }
    }
}
