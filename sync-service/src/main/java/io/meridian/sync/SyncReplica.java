package io.meridian.sync;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.sync.aggregate.Aggregator;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.kafka.KafkaReplica;
import io.meridian.sync.kafka.ReplicaRunner;
import io.meridian.sync.leader.ReplicaStatus;
import io.meridian.sync.ops.SyncMetrics;
import io.meridian.sync.regions.RegionStats;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Sync replica of this process: its start and stop, its status, and the reconciliation of escrow accounts. */
@Singleton
public class SyncReplica {
    private static final Logger LOG = Logger.getLogger(SyncReplica.class);
    private static final int ANOMALIES_MAX = 100;

    private final SyncConfig config;
    private final KeySecret secret;
    private final LimitKeys keys;
    private final RegionStats regions;
    private final SyncMetrics metrics;
    private final TimeSource time;
    private final Map<String, Object> kafka;
    private volatile @Nullable ReplicaRunner runner;

    SyncReplica(
            SyncConfig config,
            KeySecret secret,
            LimitKeys keys,
            RegionStats regions,
            SyncMetrics metrics,
            TimeSource time,
            @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.config = config;
        this.secret = secret;
        this.keys = keys;
        this.regions = regions;
        this.metrics = metrics;
        this.time = time;
        this.kafka = kafka;
    }

    void start(@Observes StartupEvent event) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("This replica leads nothing: kafka.bootstrap.servers is not set");
            return;
        }
        AggregatorRules rules = new AggregatorRules(
                micros(config.publishEvery()),
                micros(config.horizon()),
                micros(config.keep()),
                config.regionsMax(),
                micros(config.floorAhead()),
                secret);
        ReplicaRunner started = new ReplicaRunner(
                new KafkaReplica.Factory(config, kafka, () -> new Aggregator(rules), keys, regions, metrics, time));
        started.start();
        runner = started;
    }

    void stop(@Observes ShutdownEvent stopping) {
        ReplicaRunner last = runner;
        if (last != null) {
            last.close();
        }
    }

    public ReplicaStatus status() {
        ReplicaRunner running = runner;
        return running == null ? ReplicaStatus.NOTHING_YET : running.status();
    }

    /** Searches all escrow accounts for inconsistent ones, which a leader would not notice at work. */
    @Scheduled(every = "{meridian.sync.reconcile}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void reconcile() {
        ReplicaRunner running = runner;
        if (running != null && !running.offer(replica -> report(replica.anomalies(ANOMALIES_MAX)))) {
            LOG.warn("the reconciliation is skipped: the replica is busy");
        }
    }

    private void report(List<Anomaly> found) {
        metrics.anomalies(found.size());
        found.stream()
                .limit(ANOMALIES_MAX)
                .forEach(each -> LOG.warnf(
                        "an escrow account is inconsistent: policy=%s key=%s window=%d region=%s incarnation=%d granted=%d"
                                + " returned=%d spent=%d",
                        each.limit().policyId(),
                        each.limit().key(),
                        each.limit().startMicros(),
                        each.incarnation().region(),
                        each.incarnation().number(),
                        each.granted(),
                        each.returned(),
                        each.spent()));
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }
}
