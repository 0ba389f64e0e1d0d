package io.meridian.sync.kafka;

import io.meridian.model.wire.KafkaSettings;
import io.meridian.sync.SyncConfig;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka clients of a replica, and their settings. */
record KafkaClients(Map<String, Object> kafka, SyncConfig config) {
    /** Reader of all that is committed, from the beginning. */
    Consumer<byte[], byte[]> reader() {
        Map<String, Object> options = consumer("reader");
        options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        options.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        options.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        options.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 << 20);
        return new KafkaConsumer<>(options);
    }

    /** Member of the group, which reads nothing. */
    Consumer<byte[], byte[]> member() {
        return new KafkaConsumer<>(memberOptions());
    }

    Map<String, Object> memberOptions() {
        Map<String, Object> options = consumer("member");
        options.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
        options.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        options.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        options.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, millis(config.session()));
        options.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, millis(config.heartbeat()));
        options.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, millis(config.stall()));
        options.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        return options;
    }

    /** Producer with transactions. Of one name there is only one: a new one ends what the one before it left open. */
    Producer<byte[], byte[]> producer() {
        Map<String, Object> options = KafkaSettings.producer(kafka, servers(), clientId("publisher"));
        options.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.group() + "-" + config.replica());
        options.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis(config.transactionTimeout()));
        options.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        // A transaction is refused for a moment while Kafka closes the one before it; more would be felt in every loop.
        options.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 5L);
        options.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 100L);
        options.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        options.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 32L << 20);
        options.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (long) millis(config.answerWithin()));
        options.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(config.answerWithin()));
        options.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(config.answerWithin()));
        options.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        options.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return new KafkaProducer<>(options);
    }

    /** Client that finds the ends of topics. */
    Admin admin() {
        Map<String, Object> options = KafkaSettings.consumer(kafka, servers(), clientId("admin"));
        options.keySet().retainAll(AdminClientConfig.configNames());
        options.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(config.answerWithin()));
        options.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis(config.answerWithin()));
        return Admin.create(options);
    }

    private Map<String, Object> consumer(String role) {
        Map<String, Object> options = KafkaSettings.consumer(kafka, servers(), clientId(role));
        options.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        options.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return options;
    }

    private String servers() {
        return config.bootstrapServers().orElseThrow();
    }

    private String clientId(String role) {
        return config.replica() + "-" + role;
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
