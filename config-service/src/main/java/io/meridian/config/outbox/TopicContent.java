package io.meridian.config.outbox;

import io.meridian.model.wire.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * What the topic says, read from its beginning to its end: what was committed only. A commit that Kafka has confirmed becomes
 * readable a moment later, so the end is the one of all that was written, and whatever is pending before it is waited for.
 */
record TopicContent(RevisionTable revisions, long revision, long position) {
    private static final Duration POLL = Duration.ofMillis(200);

    /** @param onward what is done now and then while it is read, which may take long */
    static TopicContent read(Map<String, Object> kafka, PublisherConfig config, Runnable onward) {
        RevisionTable revisions = new RevisionTable();
        long[] highest = new long[2];
        forEach(
                kafka,
                config,
                (record, number) -> {
                    if (record.key() != null) {
                        revisions.put(
                                RevisionTable.hash(record.key()),
                                record.value() == null ? RevisionTable.ABSENT : number);
                    }
                    highest[0] = Math.max(highest[0], number);
                    highest[1] = Math.max(highest[1], RecordHeaders.number(record, RecordHeaders.POSITION));
                },
                onward);
        return new TopicContent(revisions, highest[0], highest[1]);
    }

    /** Every record with its revision, in the topic's order. */
    static void forEach(
            Map<String, Object> kafka,
            PublisherConfig config,
            BiConsumer<ConsumerRecord<String, String>, Long> each,
            Runnable onward) {
        TopicPartition partition = new TopicPartition(config.topic(), 0);
        long end = end(kafka, config, partition);
        try (Consumer<String, String> consumer = new KafkaConsumer<>(settings(kafka, config, "read_committed"))) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            int silent = 0;
            while (consumer.position(partition, config.timeout()) < end) {
                var records = consumer.poll(POLL);
                silent = records.isEmpty() ? silent + 1 : 0;
                if (POLL.multipliedBy(silent).compareTo(config.timeout()) > 0) {
                    throw new TimeoutException("the topic " + config.topic() + " was not read to its end in time");
                }
                records.forEach(record -> each.accept(record, RecordHeaders.number(record, RecordHeaders.REVISION)));
                onward.run();
            }
        }
    }

    private static long end(Map<String, Object> kafka, PublisherConfig config, TopicPartition partition) {
        try (Consumer<String, String> consumer = new KafkaConsumer<>(settings(kafka, config, "read_uncommitted"))) {
            return consumer.endOffsets(List.of(partition), config.timeout()).getOrDefault(partition, 0L);
        }
    }

    private static Map<String, Object> settings(Map<String, Object> kafka, PublisherConfig config, String isolation) {
        Map<String, Object> settings =
                KafkaSettings.consumer(kafka, config.bootstrapServers().orElseThrow(), "meridian-config-topic");
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20);
        settings.put(
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.timeout().toMillis()));
        settings.put(
                ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                Math.toIntExact(config.timeout().toMillis()));
        return settings;
    }
}
