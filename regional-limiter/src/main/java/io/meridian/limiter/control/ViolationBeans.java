package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.region.Ports.ViolationSink;
import io.meridian.model.time.TimeSource;
import io.meridian.service.kafka.KafkaSettings;
import io.quarkus.runtime.Startup;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jboss.logging.Logger;

/** Producer of the sink of violations, from the start to the very end: the last checks are answered before it goes. */
@Singleton
class ViolationBeans {
    private static final Logger LOG = Logger.getLogger(ViolationBeans.class);

    @Produces
    @Singleton
    @Startup
    ViolationSink violations(
            ViolationConfig config,
            LimiterConfig limiter,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            LimiterMetrics metrics,
            TimeSource time) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Violations are not recorded: kafka.bootstrap.servers is not set");
            return ViolationSink.NONE;
        }
        String servers = config.bootstrapServers().get();
        return new KafkaViolations(
                config, () -> producer(config, kafka, servers), limiter.region(), metrics.violations(), time);
    }

    /** A duplicate would count denials twice; nobody waits for an acknowledgement. The delivery timeout ends the retries, so their number need not. */
    static Producer<byte[], byte[]> producer(
            ViolationConfig config, Map<String, Object> kafka, String bootstrapServers) {
        return new KafkaProducer<>(KafkaSettings.producer(kafka, bootstrapServers, "limiter-violations")
                .writingBytes()
                .with(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5)
                .batching("lz4", Duration.ofMillis(20), 64 << 10, config.bufferBytes())
                .delivering(config.maxBlock(), config.requestTimeout(), config.deliveryTimeout())
                .asMap());
    }

    void stop(@Disposes ViolationSink violations) {
        if (violations instanceof KafkaViolations told) {
            told.close();
        }
    }
}
