package io.meridian.config.history;

import io.meridian.model.wire.OperationRecord;
import io.meridian.model.wire.UsageRecord;
import io.meridian.model.wire.ViolationRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of usage, violations and operations of a test's own, what it writes to them, and the settings of an intake that reads them. */
record TopicsUnderTest(
        String bootstrap, String usageTopic, String violationsTopic, String operationsTopic, int batchMax)
        implements HistoryConfig {
    private static final int PARTITIONS = 3;

    static TopicsUnderTest make(String bootstrap, String name, int batchMax) throws Exception {
        return named(bootstrap, name + "-usage", name + "-violations", name + "-operations", batchMax);
    }

    static TopicsUnderTest named(String bootstrap, String usage, String violations, String operations, int batchMax)
            throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            for (String topic : List.of(usage, violations, operations)) {
                try {
                    admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                            .all()
                            .get();
                } catch (ExecutionException failed) {
                    if (!(failed.getCause() instanceof TopicExistsException)) {
                        throw failed;
                    }
                }
            }
        }
        return new TopicsUnderTest(bootstrap, usage, violations, operations, batchMax);
    }

    void tell(List<OperationRecord> operations) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            operations.forEach(record -> send(
                    producer,
                    operationsTopic(),
                    record.id().getBytes(StandardCharsets.UTF_8),
                    record.encode().getBytes(StandardCharsets.UTF_8)));
        }
    }

    KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(Intake.settings(Map.of(), bootstrap, batchMax)
                // Closing waits for a fetch that is on its way, and many are closed.
                .with("fetch.max.wait.ms", 20)
                .asMap());
    }

    void tell(List<UsageRecord> usage, List<ViolationRecord> violations) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            usage.forEach(record -> send(producer, usageTopic, record.key(), record.value()));
            violations.forEach(record -> send(producer, violationsTopic, record.recordKey(), record.recordValue()));
        }
    }

    void tellBytes(String topic, byte[] key, byte[] value) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            send(producer, topic, key, value);
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] key, byte[] value) {
        var unused = producer.send(new ProducerRecord<>(topic, key, value));
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Optional<String> bootstrapServers() {
        return Optional.of(bootstrap);
    }

    @Override
    public Duration usageRetention() {
        return Duration.ofDays(30);
    }

    @Override
    public Duration violationRetention() {
        return Duration.ofDays(30);
    }

    @Override
    public Duration promiseGrace() {
        return Duration.ofSeconds(5);
    }

    @Override
    public Duration promiseRetention() {
        return Duration.ofDays(90);
    }

    @Override
    public Duration promiseAccountRetention() {
        return Duration.ofDays(3);
    }

    @Override
    public int daysAhead() {
        return 7;
    }

    @Override
    public Duration upkeepEvery() {
        return Duration.ofHours(1);
    }
}
