package io.meridian.config.outbox;

import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.meridian.config.ops.PublisherMetrics;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Periodic measurement of the outbox on every replica, whichever of them publishes. */
@Singleton
class BacklogMonitor {
    private static final Logger LOG = Logger.getLogger(BacklogMonitor.class);

    private final Schema schema;
    private final Outbox outbox;
    private final PublisherMetrics metrics;

    BacklogMonitor(Schema schema, Outbox outbox, PublisherMetrics metrics) {
        this.schema = schema;
        this.outbox = outbox;
        this.metrics = metrics;
    }

    @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
    void measure() {
        if (!schema.isReady()) {
            return;
        }
        try {
            Outbox.Backlog backlog = outbox.backlog();
            metrics.backlog(backlog.records(), backlog.oldestMicros());
        } catch (DatabaseUnavailableException unavailable) {
            LOG.debugf("the backlog cannot be measured: reason=%s", unavailable.getMessage());
        }
    }
}
