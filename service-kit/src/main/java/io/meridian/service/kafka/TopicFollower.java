package io.meridian.service.kafka;

import io.meridian.model.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of whole topics, from their end or from a while ago on, on a thread of its own. It is in no group: every process reads everything, and after a
 * failure it begins where a new process would.
 */
public final class TopicFollower<K, V> implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final Map<String, Object> settings;
    private final List<Start> topics;
    private final Handler<K, V> handler;
    private final TimeSource time;
    private final KafkaLoop loop;

    /**
     * @param name of the thread
     * @param effect what it means that the topics are not read, as it is logged before the reason
     */
    public TopicFollower(
            String name,
            String effect,
            KafkaSettings settings,
            List<Start> topics,
            Handler<K, V> handler,
            TimeSource time) {
        this.settings = settings.asMap();
        this.topics = List.copyOf(topics);
        this.handler = handler;
        this.time = time;
        this.loop = new KafkaLoop(name, effect, KafkaLoop.Pauses.STANDARD, CLOSE_WITHIN, Reading::new);
    }

    /** Where a topic is read from: from records that are as old as {@code back}, or from its end where that is zero. */
    public record Start(String topic, Duration back) {
        public static Start atEnd(String topic) {
            return new Start(topic, Duration.ZERO);
        }
    }

    /** Handler of records, called on the follower's thread. An exception restarts the reading. */
    public interface Handler<K, V> {
        /** Reading begins, in partitions that ended at these offsets a moment ago. */
        default void began(Map<TopicPartition, Long> ends) {}

        /** Handles the records of one poll, possibly none; called several times a second. */
        void take(ConsumerRecords<K, V> records) throws InterruptedException;

        /** Reading has ended, for now or for good. */
        default void ended() {}
    }

    /** The partitions of a topic. Fails if there is none of that name. */
    public static List<TopicPartition> partitions(Consumer<?, ?> consumer, String topic) {
        @Nullable List<PartitionInfo> found = consumer.partitionsFor(topic);
        if (found == null || found.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the topic " + topic + " does not exist");
        }
        return found.stream()
                .map(each -> new TopicPartition(topic, each.partition()))
                .toList();
    }

    public void start() {
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }

    private final class Reading implements KafkaLoop.Work {
        private final Consumer<K, V> consumer = new KafkaConsumer<>(settings);
        private boolean began;

        @Override
        public void step(KafkaLoop loop) throws InterruptedException {
            if (!began) {
                begin();
                began = true;
            }
            handler.take(consumer.poll(POLL));
            loop.succeeded();
        }

        private void begin() {
            Map<TopicPartition, Duration> back = new HashMap<>();
            for (Start each : topics) {
                partitions(consumer, each.topic()).forEach(partition -> back.put(partition, each.back()));
            }
            consumer.assign(new ArrayList<>(back.keySet()));
            Map<TopicPartition, Long> ends = consumer.endOffsets(back.keySet());
            ends.forEach(consumer::seek);
            seekBack(back);
            handler.began(ends);
        }

        /** Where nothing is as young, reading begins where the partition ended before that was asked: what comes meanwhile is read too. */
        private void seekBack(Map<TopicPartition, Duration> back) {
            long nowMillis = TimeUnit.MICROSECONDS.toMillis(time.wallMicros());
            Map<TopicPartition, Long> since = new HashMap<>();
            back.forEach((partition, duration) -> {
                if (!duration.isZero()) {
                    since.put(partition, Math.max(0, nowMillis - duration.toMillis()));
                }
            });
            Map<TopicPartition, @Nullable OffsetAndTimestamp> first = consumer.offsetsForTimes(since);
            first.forEach((partition, offset) -> {
                if (offset != null) {
                    consumer.seek(partition, offset.offset());
                }
            });
        }

        @Override
        public void wakeup() {
            consumer.wakeup();
        }

        @Override
        public void close() {
            handler.ended();
            consumer.close();
        }
    }
}
