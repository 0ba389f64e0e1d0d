package io.meridian.sync.leader;

import io.meridian.sync.SyncConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Reads all partitions of both topics along, whoever leads them: so a standby has nothing to load when it takes over. */
final class Reader implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final Consumer<byte[], byte[]> consumer;
    private final TopicPair topics;
    private final Memory memory;
    private final Hearing hearing;
    /** Where the topics ended when reading began. */
    private final Map<TopicPartition, Long> firstEnds;

    private boolean live;

    Reader(Consumer<byte[], byte[]> consumer, TopicPair topics, Memory memory, Hearing hearing) {
        this.consumer = consumer;
        this.topics = topics;
        this.memory = memory;
        this.hearing = hearing;
        List<TopicPartition> all = topics.all().toList();
        consumer.assign(all);
        all.forEach(each -> consumer.seek(each, memory.position(each)));
        firstEnds = consumer.endOffsets(all);
    }

    /** The topics as they are. They are made by whoever set Kafka up. */
    static TopicPair topics(Consumer<byte[], byte[]> consumer, SyncConfig config) {
        int usage = partitions(consumer, config.usageTopic());
        int verdicts = partitions(consumer, config.verdictsTopic());
        if (usage != verdicts) {
            throw new UnknownTopicOrPartitionException("the topics must have as many partitions, got "
                    + config.usageTopic() + " " + usage + ", " + config.verdictsTopic() + " " + verdicts);
        }
        return new TopicPair(config.usageTopic(), config.verdictsTopic(), usage);
    }

    private static int partitions(Consumer<byte[], byte[]> consumer, String topic) {
        @Nullable List<PartitionInfo> partitions = consumer.partitionsFor(topic);
        if (partitions == null || partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the topic " + topic + " does not exist");
        }
        return partitions.size();
    }

    void read(Duration wait) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            Partition partition = memory.partition(record.partition());
            if (record.topic().equals(topics.usage())) {
                hearing.usage(partition, record, live);
            } else {
                hearing.verdict(partition, record);
            }
        }
        topics.all().forEach(this::remember);
        live = live || firstEnds.entrySet().stream().allMatch(end -> memory.position(end.getKey()) >= end.getValue());
    }

    /** Whether it has once read to the end: from then on what it hears is new. */
    boolean isLive() {
        return live;
    }

    /** How many records are there that were not read. */
    long lag(int partition) {
        return consumer.currentLag(topics.usage(partition)).orElse(0);
    }

    /** A position that has yet to be found out, or confirmed, stays as it was. */
    private void remember(TopicPartition partition) {
        try {
            memory.position(partition, consumer.position(partition, Duration.ZERO));
        } catch (TimeoutException unknown) {
            return;
        }
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
}
