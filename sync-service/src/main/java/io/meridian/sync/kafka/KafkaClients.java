package io.meridian.sync.kafka;

import io.meridian.service.kafka.KafkaSettings;
import io.meridian.sync.SyncConfig;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Kafka clients of a replica, and their settings. */
record KafkaClients(Map<String, Object> kafka, SyncConfig config) {
    /** Reader of all that is committed, from the beginning. */
    Consumer<byte[], byte[]> reader() {
        return new KafkaConsumer<>(consumer("reader")
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest")
                .fetching(2_000, 1 << 20, 16 << 20)
                .asMap());
    }

    /** Member of the group, which reads nothing. */
    Consumer<byte[], byte[]> member() {
        return new KafkaConsumer<>(memberOptions());
    }

    Map<String, Object> memberOptions() {
        return consumer("member")
                .with(ConsumerConfig.GROUP_ID_CONFIG, config.group())
                .with(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic")
                .with(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName())
                .with(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, millis(config.session()))
                .with(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, millis(config.heartbeat()))
                .with(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, millis(config.stall()))
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")
                .asMap();
    }

    /** Producer with transactions. Of one name there is only one: a new one ends what the one before it left open. */
    Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(KafkaSettings.producer(kafka, servers(), clientId("publisher"))
                .writingBytes()
                .with(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.group() + "-" + config.replica())
                .with(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis(config.transactionTimeout()))
                // A transaction is refused for a moment while Kafka closes the one before it; more would be felt in
                // every loop.
                .with(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 5L)
                .with(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 100L)
                .batching("lz4", Duration.ZERO, 16 << 10, 32L << 20)
                .delivering(config.answerWithin(), config.answerWithin(), config.answerWithin())
                .asMap());
    }

    /** Client that finds the ends of topics. */
    Admin admin() {
        return Admin.create(KafkaSettings.admin(kafka, servers(), clientId("admin"))
                .answeredWithin(config.answerWithin())
                .asMap());
    }

    private KafkaSettings consumer(String role) {
        return KafkaSettings.consumer(kafka, servers(), clientId(role)).readingBytes();
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
