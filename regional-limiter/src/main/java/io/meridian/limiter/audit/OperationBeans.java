package io.meridian.limiter.audit;

import io.meridian.limiter.LimiterConfig;
import io.meridian.limiter.LimiterConfig.OperationConfig;
import io.meridian.limiter.metrics.LimiterMetrics;
import io.meridian.limiter.operations.OperationTrail;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.KafkaSettings;
import io.quarkus.runtime.Startup;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
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
                metrics.operations());
        told.start();
        return told;
    }

    /** What Kafka does not take within seconds is offered again by us, so that a stop is not held up. */
    static Producer<String, String> producer(Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.producer(kafka, bootstrapServers, "limiter-operations");
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        options.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8L << 20);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000L);
        options.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
        options.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 4_000);
        return new KafkaProducer<>(options, new StringSerializer(), new StringSerializer());
    }

    void stop(@Disposes OperationTrail operations) {
        if (operations instanceof KafkaOperations told) {
            told.close();
        }
    }
}
