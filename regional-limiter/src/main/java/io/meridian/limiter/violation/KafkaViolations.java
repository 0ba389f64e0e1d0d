package io.meridian.limiter.violation;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics;
import io.meridian.limiter.metrics.DeliveryMetrics.ViolationMetrics.ViolationLoss;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.model.algorithm.Outcome.Standing;
import io.meridian.model.match.Check;
import io.meridian.model.match.Limit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;

/** Tells Kafka: one record per limit and interval, however many denials there were. */
final class KafkaViolations implements ViolationSink, AutoCloseable {
    private final OpenTallies open;
    private final ViolationMetrics metrics;
    private final ViolationFlusher flusher;

    KafkaViolations(
            ViolationConfig config,
            Supplier<Producer<byte[], byte[]>> producer,
            String region,
            ViolationMetrics metrics) {
        this.open = new OpenTallies(config.openMax());
        this.metrics = metrics;
        Outbox outbox = new Outbox(producer, config.topic(), metrics);
        this.flusher = new ViolationFlusher(open, outbox, metrics, config, region);
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
        flusher.stop();
    }
}
