package io.meridian.config.outbox;

import io.meridian.model.wire.KafkaSettings;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Transactional producers, which fence their predecessor. */
final class Producers {
    private Producers() {}

    static Producer<String, @Nullable String> open(Map<String, Object> kafka, PublisherConfig config) {
        int timeoutMillis = Math.toIntExact(config.timeout().toMillis());
        Map<String, Object> settings =
                KafkaSettings.producer(kafka, config.bootstrapServers().orElseThrow(), "meridian-config-outbox");
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.transactionalId());
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 16L << 20);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) timeoutMillis);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis / 2);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        return new KafkaProducer<>(settings);
    }
}
