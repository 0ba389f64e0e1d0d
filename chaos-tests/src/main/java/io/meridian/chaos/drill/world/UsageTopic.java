package io.meridian.chaos.drill.world;

import io.meridian.chaos.drill.history.Subject;
import io.meridian.model.usage.LimitWindow;
import io.meridian.model.usage.Usage;
import io.meridian.model.wire.RegionAnnouncement;
import io.meridian.model.wire.UsageRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The topic of usage since some time: what the regions have told the world. For one thread. */
public final class UsageTopic implements UsageLog {
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
        // Where it ends now: a consumer that seeks the end looks for it when it first reads, past what came meanwhile.
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.offsetsForTimes(since)
                .forEach((partition, found) ->
                        consumer.seek(partition, found == null ? ends.getOrDefault(partition, 0L) : found.offset()));
    }

    /**
     * Reads past the links, which a drill may cut.
     *
     * @param sinceMillis what was reported before this wall time is of no interest
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

    /** What was reported by now. */
    public Usage of(LimitWindow limit) {
        readOn();
        return totals.of(limit);
    }

    private void readOn() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                // Without a value the record only says that another may be forgotten.
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
}
