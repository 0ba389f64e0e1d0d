package io.meridian.config.history;

import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.ops.HistoryMetrics;
import io.meridian.model.time.TimeSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Background work of the history: the intake, and the maintenance of partitions. */
@Singleton
class HistoryBeans {
    private static final Logger LOG = Logger.getLogger(HistoryBeans.class);

    private final HistoryConfig config;
    private final HistoryStore store;
    private final DailyPartitions partitions;
    private final HistoryMetrics metrics;
    private final TimeSource time;
    private final Map<String, Object> kafka;
    private @Nullable IntakeThread intake;
    private volatile long keptNanos;
    private volatile boolean kept;

    HistoryBeans(
            HistoryConfig config,
            HistoryStore store,
            DailyPartitions partitions,
            HistoryMetrics metrics,
            TimeSource time,
            @Identifier("default-kafka-broker") Map<String, Object> kafka) {
        this.config = config;
        this.store = store;
        this.partitions = partitions;
        this.metrics = metrics;
        this.time = time;
        this.kafka = kafka;
    }

    void start(@Observes StartupEvent event) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("No history is taken in: kafka.bootstrap.servers is not set");
            return;
        }
        Map<String, Object> settings = Intake.settings(
                        kafka, config.bootstrapServers().get(), config.batchMax())
                .asMap();
        IntakeThread started = new IntakeThread(
                () -> new KafkaConsumer<>(settings), consumer -> new Intake(consumer, config, store, metrics, time));
        started.start();
        intake = started;
    }

    void stop(@Observes ShutdownEvent stopping) {
        if (intake != null) {
            intake.close();
        }
    }

    /** Runs often and works seldom, so that partitions are created soon after an outage of PostgreSQL. */
    @Scheduled(every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void keepPartitions() {
        long nowNanos = time.monotonicNanos();
        if (kept && nowNanos - keptNanos < config.upkeepEvery().toNanos()) {
            return;
        }
        try {
            kept = partitions.maintain();
            keptNanos = nowNanos;
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("partitions wait for PostgreSQL: reason=%s", unavailable.getMessage());
        }
    }
}
