package io.meridian.limiter.control;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.OperationConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.operations.OperationTrail;
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
import org.jboss.logging.Logger;

/** Producer of the audit trail of resets and refunds, from the start to the end. */
@Singleton
class OperationBeans {
    private static final Logger LOG = Logger.getLogger(OperationBeans.class);

    @Produces
    @Singleton
    @Startup
    OperationTrail operations(
            OperationConfig config,
            LimiterConfig limiter,
            @Identifier("default-kafka-broker") Map<String, Object> kafka,
            LimiterMetrics metrics,
            TimeSource time) {
        if (config.bootstrapServers().isEmpty()) {
            LOG.info("Resets and refunds are in no audit trail: kafka.bootstrap.servers is not set");
            return OperationTrail.NONE;
        }
        String servers = config.bootstrapServers().get();
        KafkaOperations told = new KafkaOperations(
                config,
                new OperationRecords(limiter.region(), time),
                () -> producer(kafka, servers),
                metrics.operations(),
                time);
        told.start();
        return told;
    }

    /** What Kafka does not take within seconds is offered again by us, so that a stop is not held up. */
    static Producer<String, String> producer(Map<String, Object> kafka, String bootstrapServers) {
        return new KafkaProducer<>(KafkaSettings.producer(kafka, bootstrapServers, "limiter-operations")
                .writingTexts()
                .batching("none", Duration.ZERO, 64 << 10, 8L << 20)
                .delivering(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
                .asMap());
    }

    void stop(@Disposes OperationTrail operations) {
        if (operations instanceof KafkaOperations told) {
            told.close();
        }
    }
}
