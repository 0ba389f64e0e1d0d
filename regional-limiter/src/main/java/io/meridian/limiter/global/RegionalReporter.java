package io.meridian.limiter.global;

import io.meridian.limiter.LimiterConfig.UsageConfig;
import io.meridian.limiter.metrics.UsageMetrics;
import io.meridian.model.time.TimeSource;
import io.meridian.model.usage.RegionIncarnation;
import io.meridian.model.wire.UsageRecord;
import io.meridian.service.kafka.KafkaLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Reports of what this instance took of its region's own limits, on a thread and by a producer of its own, so that no report on
 * global limits waits behind it.
 *
 * <p>Every interval all limits that have changed are reported, at most {@code regional-rate} limits a second so that checks do not feel a
 * burst. What changes faster is reported later: counts are cumulative, so nothing is lost by that.
 */
final class RegionalReporter implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);
    /** Longer than the producer tries to deliver. */
    private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofSeconds(10);

    private final RegionIncarnation self;
    private final UsageConfig config;
    private final RegionalTallies tallies;
    private final UsageSink log;
    private final LongSupplier nowMicros;
    private final TimeSource time;
    private final UsageMetrics metrics;
    private final KafkaLoop loop;

    /** @param self this process as an incarnation of its own: what it counts is not what others count */
    RegionalReporter(
            RegionIncarnation self,
            UsageConfig config,
            RegionalTallies tallies,
            UsageSink log,
            LongSupplier nowMicros,
            TimeSource time,
            UsageMetrics metrics) {
        this.self = self;
        this.config = config;
        this.tallies = tallies;
        this.log = log;
        this.nowMicros = nowMicros;
        this.time = time;
        this.metrics = metrics;
        // The last checks have been answered when it is closed, and so the last report has all.
        this.loop = KafkaLoop.every(
                config.regionalInterval(),
                "usage-regional",
                "a report of the region's own limits failed; the next one repeats it",
                CLOSE_TIMEOUT,
                this::report);
    }

    void start() {
        loop.start();
    }

    /**
     * Reports what has changed, and waits until Kafka has acknowledged all of it. Ends with the first batch that is not acknowledged: the
     * next report repeats it.
     */
    void report() throws InterruptedException {
        RegionalTallies.Pass pass = tallies.pass(self, nowMicros.getAsLong());
        Semaphore room = new Semaphore(config.batchesInFlight());
        AtomicBoolean failed = new AtomicBoolean();
        long beganNanos = time.monotonicNanos();
        long sent = 0;
        for (List<UsageRecord> some = pass.next(config.batchMax());
                !some.isEmpty() && !failed.get();
                some = pass.next(config.batchMax())) {
            if (!room.tryAcquire(ACKNOWLEDGED_WITHIN.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            List<UsageRecord> batch = some;
            written(batch).whenComplete((acknowledged, failure) -> {
                if (failure == null) {
                    tallies.told(batch);
                    metrics.regionalReported(batch.size());
                } else {
                    failed.set(true);
                    metrics.failed();
                }
                room.release();
            });
            sent += batch.size();
            pace(beganNanos, sent);
        }
        boolean unused = room.tryAcquire(config.batchesInFlight(), ACKNOWLEDGED_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until so many may have been sent; not while the process ends. */
    private void pace(long beganNanos, long sent) throws InterruptedException {
        long dueNanos = beganNanos + sent * TimeUnit.SECONDS.toNanos(1) / config.regionalRate();
        long waitNanos = dueNanos - time.monotonicNanos();
        if (waitNanos > 0) {
            boolean unused = loop.await(Duration.ofNanos(waitNanos));
        }
    }

    private CompletionStage<Void> written(List<UsageRecord> records) {
        try {
            return log.write(records);
        } catch (RuntimeException unexpected) {
            return CompletableFuture.failedFuture(unexpected);
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
