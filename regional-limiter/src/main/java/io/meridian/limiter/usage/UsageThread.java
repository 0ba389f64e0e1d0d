package io.meridian.limiter.usage;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.lease.IncarnationTracker.IncarnationChanged;
import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Thread of the reporters, each at its interval, because Kafka's producer may block its caller. */
final class UsageThread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(UsageThread.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);

    private final UsageConfig config;
    private final UsageReporter shared;
    private final LostCounterCharges lostCounters;
    private final UsageLog log;
    private final TimeSource time;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "usage");
    private String told = "";

    UsageThread(
            UsageConfig config, UsageReporter shared, LostCounterCharges lostCounters, UsageLog log, TimeSource time) {
        this.config = config;
        this.shared = shared;
        this.lostCounters = lostCounters;
        this.log = log;
        this.time = time;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long intervalNanos = config.interval().toNanos();
        try {
            long dueNanos = time.monotonicNanos() + intervalNanos;
            while (!closed.await(Math.max(0, dueNanos - time.monotonicNanos()), TimeUnit.NANOSECONDS)) {
                dueNanos = Math.max(dueNanos, time.monotonicNanos()) + intervalNanos;
                round();
            }
            // The last checks have been answered by now.
            round();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            log.close();
        }
    }

    /** What an incarnation that is over had counted is to be reported. */
    void lost(IncarnationChanged change) {
        shared.lost(change);
    }

    private void round() throws InterruptedException {
        try {
            lostCounters.round();
            shared.round();
            told = "";
        } catch (ExecutionException | TimeoutException | RuntimeException away) {
            note(away);
        }
    }

    /** What has not changed is told once. */
    private void note(Exception away) {
        String reason = String.valueOf(away.getMessage());
        if (!told.equals(reason)) {
            told = reason;
            LOG.warnf("usage cannot be reported now, it waits in the region: reason=%s", away);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(CLOSE_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
