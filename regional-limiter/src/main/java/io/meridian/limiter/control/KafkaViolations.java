package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics.ViolationLoss;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import io.meridian.model.time.TimeSource;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;

/** Sink of violations in Kafka: one record per limit and interval, however many denials there were. */
final class KafkaViolations implements ViolationSink, AutoCloseable {
    private final OpenTallies open;
    private final ViolationMetrics metrics;
    private final ViolationFlusher flusher;

    KafkaViolations(
            ViolationConfig config,
            Supplier<Producer<byte[], byte[]>> producer,
            String region,
            ViolationMetrics metrics,
            TimeSource time) {
        this.open = new OpenTallies(config.openMax());
        this.metrics = metrics;
        this.flusher = new ViolationFlusher(open, producer, metrics, config, region, time);
        flusher.start();
    }

    @Override
    public void refused(Limit limit, Standing standing, Check check, boolean shadow, long nowMicros) {
        if (!open.add(limit, standing, check, shadow, nowMicros)) {
            metrics.dropped(ViolationLoss.TOO_MANY, 1);
        }
    }

    @Override
    public void close() {
        flusher.close();
    }
}
