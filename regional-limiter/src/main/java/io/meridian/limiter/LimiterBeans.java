package io.meridian.limiter;

import io.meridian.limiter.LimiterConfig.DecisionLogConfig;
import io.meridian.limiter.LimiterConfig.KeysConfig;
import io.meridian.limiter.LimiterConfig.LeaseConfig;
import io.meridian.limiter.decide.CheckDecider;
import io.meridian.limiter.decide.DecisionRecorder.DecisionLog;
import io.meridian.limiter.decide.LimiterCore;
import io.meridian.limiter.decisionlog.SampledDecisionLog;
import io.meridian.limiter.lease.IncarnationTracker;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.lease.LeaseTable;
import io.meridian.limiter.lease.LeaseUpkeep;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.policy.RulesInEffect;
import io.meridian.limiter.region.Ports.Fallback;
import io.meridian.limiter.region.Ports.LeaderContact;
import io.meridian.limiter.region.Ports.LoadSignal;
import io.meridian.limiter.region.Ports.Timers;
import io.meridian.limiter.region.Ports.UsageAccounts;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.logging.Logger;

/** Wiring of a limiter in its container: the assembled core and its parts, the secret of the keys, clocks and timers. */
@Singleton
class LimiterBeans {
    private static final Logger LOG = Logger.getLogger(LimiterBeans.class);
    private static final long SECRET_FILE_BYTES_MAX = 1_024;

    @Produces
    @Singleton
    TimeSource time() {
        return TimeSource.system();
    }

    @Produces
    @Singleton
    Timers timers(Vertx vertx) {
        return (millis, task) -> vertx.setTimer(millis, due -> task.run());
    }

    /** The secret that counters and shards are named under. Without one, or with a malformed one, the process does not start. */
    @Produces
    @Singleton
    static KeySecret secret(KeysConfig config) {
        return KeySecret.configured(config.secret(), config.secretFile().map(LimiterBeans::read));
    }

    @Produces
    @Singleton
    static LimitKeys keys(KeySecret secret) {
        return new LimitKeys(secret);
    }

    void logSecret(@Observes StartupEvent started, KeySecret secret) {
        LOG.infof("counters are named under the secret with the check value %s", secret.check());
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > SECRET_FILE_BYTES_MAX) {
                throw new IllegalArgumentException(KeySecret.FILE_SETTING + " must name a file of at most "
                        + SECRET_FILE_BYTES_MAX + " bytes, got " + file);
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    KeySecret.FILE_SETTING + " must name a file that can be read, got " + file, unreadable);
        }
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
