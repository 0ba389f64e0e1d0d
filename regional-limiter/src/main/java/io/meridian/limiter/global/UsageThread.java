package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaLoop;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Thread of the reporter of global limits, because Kafka's producer may block its caller. */
final class UsageThread implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);

    private final UsageReporter shared;
    private final LostCounterCharges lostCounters;
    private final UsageLog log;
    private final TimeSource time;
    private final long intervalNanos;
    private final KafkaLoop loop = new KafkaLoop(
            "usage",
            "usage cannot be reported now, it waits in the region",
            KafkaLoop.Pauses.STANDARD,
            CLOSE_TIMEOUT,
            Rounds::new);

    UsageThread(
            UsageConfig config, UsageReporter shared, LostCounterCharges lostCounters, UsageLog log, TimeSource time) {
        this.shared = shared;
        this.lostCounters = lostCounters;
        this.log = log;
        this.time = time;
        this.intervalNanos = config.interval().toNanos();
    }

    void start() {
        loop.start();
    }

    /** Queues the last known counts of an ended incarnation for a report. */
    void lost(IncarnationChanged change) {
        shared.lost(change);
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Rounds implements KafkaLoop.Work {
        private long dueNanos = time.monotonicNanos() + intervalNanos;

        @Override
        public void step(KafkaLoop loop) throws InterruptedException {
            if (loop.await(Duration.ofNanos(Math.max(0, dueNanos - time.monotonicNanos())))) {
                dueNanos = Math.max(dueNanos, time.monotonicNanos()) + intervalNanos;
                round(loop);
            }
        }

        /** The last checks have been answered by now. */
        @Override
        public void last(KafkaLoop loop) throws InterruptedException {
            round(loop);
        }

        /** Nothing of a round that fails is lost, so the next comes when it is due. */
        private void round(KafkaLoop loop) throws InterruptedException {
            try {
                lostCounters.round();
                shared.round();
                loop.succeeded();
            } catch (ExecutionException | TimeoutException | RuntimeException away) {
                loop.failed(String.valueOf(away.getMessage()));
            }
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
