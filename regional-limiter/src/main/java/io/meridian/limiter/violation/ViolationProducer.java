package io.meridian.limiter.violation;

import io.meridian.limiter.LimiterConfig.ViolationConfig;
import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer of violations. A duplicate would count denials twice; nobody waits for an acknowledgement. */
final class ViolationProducer {
    private ViolationProducer() {}

    /** The delivery timeout ends the retries, so their number need not. */
    static Producer<byte[], byte[]> create(ViolationConfig config, Map<String, Object> kafka, String bootstrapServers) {
        Map<String, Object> options = KafkaSettings.producer(kafka, bootstrapServers, "limiter-violations");
        options.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, config.maxBlock().toMillis());
        options.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.requestTimeout().toMillis()));
        options.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.deliveryTimeout().toMillis()));
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) config.bufferBytes());
        options.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 << 10);
        options.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        return new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
