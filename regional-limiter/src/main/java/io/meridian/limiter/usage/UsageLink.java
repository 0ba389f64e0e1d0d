package io.meridian.limiter.usage;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.decide.RegionBooks;
import io.meridian.limiter.decide.RegionClock;
import io.meridian.limiter.decide.RegionCounters;
import io.meridian.limiter.decide.RegionReborn;
import io.meridian.limiter.decide.VerdictHearer;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.metrics.UsageLoss;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.limiter.policy.Rulebooks;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tells the centre what the region uses and hears what it says to that, as long as the limiter runs and if there is a Kafka. */
@Singleton
class UsageLink {
    private static final Logger LOG = Logger.getLogger(UsageLink.class);
    private static final int LAST = Interceptor.Priority.LIBRARY_AFTER;

    private final UsageConfig config;
    private final LimiterConfig limiter;
    private final Map<String, Object> kafka;
    private final RegionBooks books;
    private final Rulebooks rulebooks;
    private final VerdictHearer leases;
    private final CentreContact contact;
    private final RegionFloors floors;
    private final RegionClock clock;
    private final LimitKeys keys;
    private final TimeSource time;
    private final UsageMetrics metrics;
    private final RegionalTallies tallies;
    private final LostCounters lostCounters;
    private @Nullable UsageThread thread;
    private @Nullable RegionalReporter regional;
    private @Nullable UsageLog regionalLog;
    private @Nullable VerdictReader reader;

    UsageLink(
            UsageConfig config,
            LimiterConfig limiter,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            RegionBooks books,
            RegionCounters counters,
            Rulebooks rulebooks,
            VerdictHearer leases,
            CentreContact contact,
            RegionFloors floors,
            RegionClock clock,
            LimitKeys keys,
            TimeSource time,
            LimiterMetrics metrics,
            RegionalTallies tallies) {
        this.config = config;
        this.limiter = limiter;
        this.kafka = kafka;
        this.books = books;
        this.rulebooks = rulebooks;
        this.leases = leases;
        this.contact = contact;
        this.floors = floors;
        this.clock = clock;
        this.keys = keys;
        this.time = time;
        this.metrics = metrics.usage();
        this.tallies = tallies;
        this.lostCounters = new LostCounters(config.regionalLimitsMax(), counters, metrics.usage());
        this.metrics.regionalLimits(tallies::size);
    }

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Other regions do not hear of this one, nor it of them: kafka.bootstrap.servers is not set");
            tallies.stop();
            return;
        }
        String servers = config.bootstrapServers().get();
        UsageLog log = new UsageLog(KafkaOptions.producer(kafka, servers), config.topic(), keys, time);
        RegionIncarnation self = new RegionIncarnation(limiter.region(), time.wallMicros());
        thread = new UsageThread(
                config,
                new UsageReporter(limiter.region(), config, books, rulebooks, log, clock, metrics),
                lostCounters,
                log,
                time);
        regionalLog = new UsageLog(KafkaOptions.regionalProducer(kafka, servers), config.topic(), keys, time);
        regional = new RegionalReporter(self, config, tallies, regionalLog, clock::nowMicros, time, metrics);
        VerdictApplier applier =
                new VerdictApplier(limiter.region(), books, leases, contact, clock, metrics, config.interval());
        reader = new VerdictReader(
                KafkaOptions.consumer(kafka, servers),
                config.verdictsTopic(),
                config.readBack(),
                applier,
                contact,
                floors,
                keys,
                time);
        thread.start();
        regional.start();
        reader.start();
    }

    /**
     * What the life before counted and did not report goes to the log; what regions used is then told anew by the centre. Of what
     * is the region's own this instance still knows its part.
     */
    void reborn(@Observes RegionReborn reborn) {
        metrics.reborn();
        if (thread != null) {
            thread.lost(reborn);
        }
        if (reborn.wiped()) {
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

    /** Who keeps accounts of what the region has for itself. */
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
