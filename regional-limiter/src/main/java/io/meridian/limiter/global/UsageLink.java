package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.limiter.lease.LeaseVerdicts;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.metrics.UsageMetrics.UsageLoss;
import io.meridian.limiter.region.RegionAccounts;
import io.meridian.limiter.region.RegionClock;
import io.meridian.limiter.region.RegionCounters;
import io.meridian.limiter.rules.RulesInEffect;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.service.kafka.TopicFollower;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Lifecycle of the usage reporters and the reader of verdicts: from the start to the stop of the limiter, where Kafka is configured. */
@Singleton
class UsageLink {
    private static final Logger LOG = Logger.getLogger(UsageLink.class);
    private static final int LAST = Interceptor.Priority.LIBRARY_AFTER;

    private final UsageConfig config;
    private final LimiterConfig limiter;
    private final Map<String, Object> kafka;
    private final RegionAccounts accounts;
    private final RulesInEffect rules;
    private final LeaseVerdicts leases;
    private final LeaderTracker contact;
    private final RegionFloors floors;
    private final RegionClock clock;
    private final LimitKeys keys;
    private final TimeSource time;
    private final LimiterMetrics limiterMetrics;
    private final UsageMetrics metrics;
    private final RegionalTallies tallies;
    private final LostCounterCharges lostCounters;
    private @Nullable UsageThread thread;
    private @Nullable RegionalReporter regional;
    private @Nullable UsageLog regionalLog;
    private @Nullable TopicFollower<byte[], byte[]> reader;

    UsageLink(
            UsageConfig config,
            LimiterConfig limiter,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            RegionAccounts accounts,
            RegionCounters counters,
            RulesInEffect rules,
            LeaseVerdicts leases,
            LeaderTracker contact,
            RegionFloors floors,
            RegionClock clock,
            LimitKeys keys,
            TimeSource time,
            LimiterMetrics metrics,
            RegionalTallies tallies) {
        this.config = config;
        this.limiter = limiter;
        this.kafka = kafka;
        this.accounts = accounts;
        this.rules = rules;
        this.leases = leases;
        this.contact = contact;
        this.floors = floors;
        this.clock = clock;
        this.keys = keys;
        this.time = time;
        this.limiterMetrics = metrics;
        this.metrics = metrics.usage();
        this.tallies = tallies;
        this.lostCounters = new LostCounterCharges(config.regionalLimitsMax(), counters, metrics.usage());
        this.metrics.regionalLimits(tallies::size);
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Usage is not reported and verdicts are not read: kafka.bootstrap.servers is not set");
            tallies.stop();
            return;
        }
        String servers = config.bootstrapServers().get();
        UsageLog log = UsageLog.shared(kafka, servers, config.topic(), keys, time);
        GlobalUsageCore core = new GlobalUsageCore(
                limiter.region(), config, accounts, rules, log, leases, contact, clock, limiterMetrics);
        RegionIncarnation self = new RegionIncarnation(limiter.region(), time.wallMicros());
        thread = new UsageThread(config, core.reporter(), lostCounters, log, time);
        regionalLog = UsageLog.regional(kafka, servers, config.topic(), keys, time);
        regional = new RegionalReporter(self, config, tallies, regionalLog, clock::nowMicros, time, metrics);
        reader = new TopicFollower<>(
                "verdicts",
                "the topic " + config.verdictsTopic() + " cannot be read now, this region knows nothing new of others",
                VerdictReader.settings(kafka, servers),
                List.of(new TopicFollower.Start(config.verdictsTopic(), config.readBack())),
                new VerdictReader(core.applier(), contact, floors, keys),
                time);
        thread.start();
        regional.start();
        reader.start();
    }

    /**
     * Reports what the incarnation before had counted and not reported; leaders then send their verdicts anew. Of the region's own limits,
     * this instance charges a wiped Redis with what it took itself.
     */
    void incarnationChanged(@Observes IncarnationChanged change) {
        metrics.incarnationChanged();
        if (thread != null) {
            thread.lost(change);
        }
        if (change.wiped()) {
            lostCounters.charge(tallies.open(clock.nowMicros()));
        }
    }

    /** After the last checks were answered and the leases have gone back, while there still is a Redis to be read. */
    void stop(@Observes @Priority(LAST) ShutdownEvent event) {
        if (reader != null) {
            reader.close();
        }
        if (thread != null) {
            thread.close();
        }
        if (regional != null && regionalLog != null) {
            regional.close();
            regionalLog.close();
        }
    }

    /** Producer of the accounts of the region's own limits. */
    @Singleton
    static class Accounts {
        @Produces
        @Singleton
        RegionalTallies tallies(UsageConfig config, LimiterMetrics metrics) {
            return new RegionalTallies(
                    config.regionalLimitsMax(), units -> metrics.usage().dropped(UsageLoss.REGIONAL_LIMITS, units));
        }
    }
}
