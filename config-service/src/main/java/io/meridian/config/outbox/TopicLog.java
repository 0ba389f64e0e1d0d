package io.meridian.config.outbox;

import io.meridian.service.kafka.KafkaSettings;
import io.meridian.service.kafka.TopicIdentity;
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

/**
 * Reader of the committed records of the policies topic. A confirmed commit becomes readable a moment later, so the end is that
 * of all records, uncommitted ones among them, and the read waits for transactions that are pending before it.
 */
record TopicLog(Map<String, Object> kafka, PublisherConfig config) {
    private static final Duration POLL = Duration.ofMillis(200);
    /** Offsets before the end that are read first in search of the last position; sixteen times as many next. */
    private static final long TAIL = 256;

    private static final int TAIL_FACTOR = 16;
    /** Short, because closing a consumer waits for its fetch at the end of the topic. */
    private static final int FETCH_WAIT_MILLIS = 20;

    /**
     * Progress of the topic: the highest revision, and the highest position of the outbox.
     *
     * @param wholeTopic the identity of the topic that the last marker declares complete; empty if none does
     */
    record End(long revision, long position, String wholeTopic) {
        static final End NONE = new End(0, 0, "");

        End with(ConsumerRecord<?, ?> record) {
            String named = RecordHeaders.text(record, RecordHeaders.TOPIC);
            return new End(
                    Math.max(revision, RecordHeaders.number(record, RecordHeaders.REVISION)),
                    Math.max(position, RecordHeaders.number(record, RecordHeaders.POSITION)),
                    named.isEmpty() ? wholeTopic : named);
        }
    }

    /**
     * Reads every record with its revision, in the topic's order.
     *
     * @param progress called regularly, because the read may take long
     */
    void each(BiConsumer<ConsumerRecord<String, String>, Long> each, Runnable progress) {
        try (Consumer<String, String> consumer = open("read_committed")) {
            scan(consumer, begin(consumer), end(), each, progress);
        }
    }

    /**
     * The progress, read from the end of the topic: both numbers only grow, and a takeover must not wait for a whole large
     * topic.
     */
    End last() {
        try (Consumer<String, String> consumer = open("read_committed")) {
            long begin = begin(consumer);
            long end = end();
            for (long back = TAIL; ; back *= TAIL_FACTOR) {
                long from = Math.max(begin, end - back);
                End[] found = {End.NONE};
                scan(consumer, from, end, (record, revision) -> found[0] = found[0].with(record), () -> {});
                if (found[0].position() > 0 || from == begin) {
                    return found[0];
                }
            }
        }
    }

    private void scan(
            Consumer<String, String> consumer,
            long from,
            long end,
            BiConsumer<ConsumerRecord<String, String>, Long> each,
            Runnable progress) {
        consumer.assign(List.of(partition()));
        consumer.seek(partition(), from);
        int silent = 0;
        while (consumer.position(partition(), config.timeout()) < end) {
            var records = consumer.poll(POLL);
            silent = records.isEmpty() ? silent + 1 : 0;
            if (POLL.multipliedBy(silent).compareTo(config.timeout()) > 0) {
                throw new TimeoutException("the topic " + config.topic() + " was not read to its end in time");
            }
            records.forEach(record -> each.accept(record, RecordHeaders.number(record, RecordHeaders.REVISION)));
            progress.run();
        }
    }

    private TopicPartition partition() {
        return new TopicPartition(config.topic(), 0);
    }

    private long begin(Consumer<String, String> consumer) {
        return consumer.beginningOffsets(List.of(partition()), config.timeout()).getOrDefault(partition(), 0L);
    }

    private long end() {
        try (Consumer<String, String> consumer = open("read_uncommitted")) {
            return consumer.endOffsets(List.of(partition()), config.timeout()).getOrDefault(partition(), 0L);
        }
    }

    /** A client for the identity of the topic. */
    TopicIdentity identity() {
        return new TopicIdentity(settings().asMap(), config.topic(), config.timeout());
    }

    private KafkaSettings settings() {
        return KafkaSettings.consumer(kafka, config.bootstrapServers().orElseThrow(), "meridian-config-topic")
                .answeredWithin(config.timeout());
    }

    private Consumer<String, String> open(String isolation) {
        return new KafkaConsumer<>(settings()
                .readingTexts()
                .with(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation)
                .with(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest")
                .with(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000)
                .with(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS)
                .with(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 << 20)
                .asMap());
    }
}
