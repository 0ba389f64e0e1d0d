package io.meridian.config.outbox;

import io.meridian.config.ops.PublisherMetrics;
import io.meridian.config.database.DatabaseUnavailableException;
import io.meridian.config.database.Schema;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Looks how much waits in the outbox, whoever publishes and whether or not anybody can. */
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
    void look() {
        if (!schema.isReady()) {
            return;
        }
        try {
            Outbox.Backlog backlog = outbox.backlog();
            metrics.backlog(backlog.records(), backlog.oldestMicros());
        } catch (DatabaseUnavailableException away) {
            LOG.debugf("the backlog is not known now: reason=%s", away.getMessage());
        }
    }
}
