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
 * The policies topic, for whoever reads what was committed. A commit that Kafka has confirmed becomes readable a moment later,
 * so the end is the one of all that was written, and whatever is pending before it is waited for.
 */
record TopicLog(Map<String, Object> kafka, PublisherConfig config) {
    private static final Duration POLL = Duration.ofMillis(200);
    /** So many offsets before the end are looked at first for how far the topic is; sixteen times as many next. */
    private static final long TAIL = 256;

    private static final int LONGER = 16;
    /** Short, because a fetch at the end of the topic is on its way when a consumer is closed, and closing waits for it. */
    private static final int FETCH_WAIT_MILLIS = 20;

    /**
     * How far the topic is: the highest revision, and the highest place in the outbox.
     *
     * @param wholeTopic the identity of the topic that was last said to be whole, empty if none was
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
     * Every record with its revision, in the topic's order.
     *
     * @param onward what is done now and then meanwhile, since it may take long
     */
    void each(BiConsumer<ConsumerRecord<String, String>, Long> each, Runnable onward) {
        try (Consumer<String, String> consumer = open("read_committed")) {
            scan(consumer, begin(consumer), end(), each, onward);
        }
    }

    /** Read from its end: both numbers only grow, and who takes over a large topic has no time to read all of it. */
    End last() {
        try (Consumer<String, String> consumer = open("read_committed")) {
            long begin = begin(consumer);
            long end = end();
            for (long back = TAIL; ; back *= LONGER) {
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
            Runnable onward) {
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
            onward.run();
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

    /** Where to ask which topic it is. */
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
