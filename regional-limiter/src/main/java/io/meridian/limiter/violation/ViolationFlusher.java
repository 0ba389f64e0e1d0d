package io.meridian.limiter.violation;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics.ViolationLoss;
import io.meridian.limiter.violation.ViolationTally.ViolationKey;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Brings tallies to the outbox, once per interval, on a thread of its own. What Kafka does not take waits, and further denials
 * of a limit that waits add to it; where more limits wait than may, the newcomers are dropped and counted.
 */
final class ViolationFlusher {
    private static final Logger LOG = Logger.getLogger(ViolationFlusher.class);
    private static final Duration STOP_MARGIN = Duration.ofSeconds(1);

    private final OpenTallies open;
    private final Outbox outbox;
    private final ViolationMetrics metrics;
    private final ViolationConfig config;
    private final String region;
    private final Map<ViolationKey, ViolationTally> waiting = new LinkedHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "violations");

    ViolationFlusher(OpenTallies open, Outbox outbox, ViolationMetrics metrics, ViolationConfig config, String region) {
        this.open = open;
        this.outbox = outbox;
        this.metrics = metrics;
        this.config = config;
        this.region = region;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Flushes a last time, and returns when that is over, within the bound of the configuration. */
    void stop() {
        stopped.countDown();
        try {
            thread.join(config.stopWithin()
                    .plus(config.maxBlock())
                    .plus(STOP_MARGIN)
                    .toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopped.await(config.interval().toNanos(), TimeUnit.NANOSECONDS)) {
                flush();
            }
            flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.values().forEach(tally -> metrics.dropped(ViolationLoss.STOPPED, tally.count()));
            outbox.close(config.stopWithin());
        }
    }

    private void flush() {
        open.drain(this::await);
        Iterator<Map.Entry<ViolationKey, ViolationTally>> next =
                waiting.entrySet().iterator();
        while (next.hasNext()) {
            Map.Entry<ViolationKey, ViolationTally> entry = next.next();
            if (!isTaken(entry.getKey(), entry.getValue())) {
                return;
            }
            next.remove();
        }
    }

    /** One that fails is given up, lest it stand before all others for ever. */
    private boolean isTaken(ViolationKey key, ViolationTally tally) {
        try {
            return outbox.offer(tally.record(key, region));
        } catch (RuntimeException e) {
            LOG.errorf(e, "A violation cannot be told: policy=%s", key.policyId());
            metrics.dropped(ViolationLoss.UNDELIVERED, tally.count());
            return true;
        }
    }

    private void await(ViolationKey key, ViolationTally tally) {
        ViolationTally before = waiting.get(key);
        if (before != null) {
            before.add(tally);
        } else if (waiting.size() < config.openMax()) {
            waiting.put(key, tally);
        } else {
            metrics.dropped(ViolationLoss.NO_ROOM, tally.count());
        }
    }
}
