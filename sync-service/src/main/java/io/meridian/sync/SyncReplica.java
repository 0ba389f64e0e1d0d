package io.meridian.sync;

import io.meridian.model.hash.KeySecret;
import io.meridian.model.match.LimitKeys;
import io.meridian.model.time.TimeSource;
import io.meridian.sync.aggregate.AggregatorRules;
import io.meridian.sync.aggregate.Anomaly;
import io.meridian.sync.leader.Book;
import io.meridian.sync.leader.KafkaClients;
import io.meridian.sync.leader.Placement;
import io.meridian.sync.leader.ReplicaStatus;
import io.meridian.sync.leader.Replicas;
import io.meridian.sync.leader.SyncThread;
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

/** This process's part in leading: what of it goes on by itself, and what is known of it. */
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
    private volatile @Nullable SyncThread thread;

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

    void start(@Observes StartupEvent started) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("This replica leads nothing: kafka.bootstrap.servers is not set");
            return;
        }
        if (!config.fence()) {
            LOG.warn("Leaders are not fenced: meridian.sync.fence is for tests only");
        }
        AggregatorRules rules = new AggregatorRules(
                micros(config.tellEvery()),
                micros(config.horizon()),
                micros(config.keep()),
                config.regionsMax(),
                micros(config.floorAhead()),
                secret);
        KafkaClients clients = new KafkaClients(kafka, config);
        SyncThread begun = new SyncThread(new Replicas(
                config, clients, () -> Book.aggregated(rules), Placement.under(keys), regions, metrics, time));
        begun.start();
        thread = begun;
    }

    void stop(@Observes ShutdownEvent stopping) {
        SyncThread last = thread;
        if (last != null) {
            last.close();
        }
    }

    public ReplicaStatus status() {
        SyncThread running = thread;
        return running == null ? ReplicaStatus.NOTHING_YET : running.status();
    }

    /** Looks through the escrow accounts for what cannot be: a leader would not see it at work. */
    @Scheduled(every = "{meridian.sync.reconcile}", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void reconcile() {
        SyncThread running = thread;
        if (running != null && !running.offer(replica -> tell(replica.anomalies(ANOMALIES_MAX)))) {
            LOG.warn("the reconciliation is left out: the replica is busy");
        }
    }

    private void tell(List<Anomaly> found) {
        metrics.anomalies(found.size());
        found.stream()
                .limit(ANOMALIES_MAX)
                .forEach(each -> LOG.warnf(
                        "an escrow account cannot be: policy=%s key=%s window=%d region=%s incarnation=%d granted=%d"
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
