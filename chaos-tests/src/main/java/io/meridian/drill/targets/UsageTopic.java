package io.meridian.drill.targets;

import io.meridian.drill.history.Subject;
import io.meridian.drill.targets.DrillTarget.UsageReader;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Usage;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reader of the usage topic from a point in time. Not thread-safe. */
public final class UsageTopic implements UsageReader {
    private static final String TOPIC = "usage";
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int API_TIMEOUT_MILLIS = 15_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final UsageTotals totals = new UsageTotals();

    private UsageTopic(KafkaConsumer<byte[], byte[]> consumer, long sinceMillis) {
        this.consumer = consumer;
        partitions = consumer.partitionsFor(TOPIC).stream()
                .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                .toList();
        consumer.assign(partitions);
        seek(sinceMillis);
    }

    private void seek(long sinceMillis) {
        Map<TopicPartition, Long> since =
                partitions.stream().collect(Collectors.toMap(Function.identity(), each -> sinceMillis));
        // The ends as of now: seekToEnd resolves them at the first poll, past records that arrive until then.
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.offsetsForTimes(since)
                .forEach((partition, found) ->
                        consumer.seek(partition, found == null ? ends.getOrDefault(partition, 0L) : found.offset()));
    }

    /**
     * Opens the topic.
     *
     * @param bootstrapServers addresses past the links that a drill may fault
     * @param sinceMillis wall time from which reports count
     */
    public static UsageTopic open(String bootstrapServers, long sinceMillis) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "default.api.timeout.ms",
                API_TIMEOUT_MILLIS,
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class));
        try {
            return new UsageTopic(consumer, sinceMillis);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    @Override
    public Usage of(Subject subject, long windowEndMicros) {
        long windowMicros = TimeUnit.MILLISECONDS.toMicros(subject.window().toMillis());
        long startMicros = windowEndMicros - windowMicros;
        return of(new LimitWindow(subject.policy(), subject.keyAt(startMicros), startMicros));
    }

    /** Usage reported by now. */
    public Usage of(LimitWindow limit) {
        readOn();
        return totals.of(limit);
    }

    private void readOn() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                // A record without a value is a tombstone.
                if (record.value() != null && !RegionAnnouncement.isAnnouncement(record.key())) {
                    totals.add(UsageRecord.decode(record.key(), record.value()));
                }
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
    }

    /** Usage of all regions by limit, merged so that neither order nor repetition of reports matters. */
    static final class UsageTotals {
        private final Map<LimitWindow, Usage> usages = new HashMap<>();

        void add(UsageRecord record) {
            usages.merge(record.limit(), Usage.NONE.merge(record.incarnation(), record.count()), Usage::merge);
        }

        Usage of(LimitWindow limit) {
            return usages.getOrDefault(limit, Usage.NONE);
        }
    }
}
