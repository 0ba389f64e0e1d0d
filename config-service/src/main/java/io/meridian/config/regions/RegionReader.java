package io.meridian.config.regions;

import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.InstanceReport;
import io.meridian.model.wire.RegionQueryReply;
import io.meridian.model.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/** Reads what limiters say: reports from a while ago on, answers from now on. What cannot be read is skipped. */
final class RegionReader {
    private static final Logger LOG = Logger.getLogger(RegionReader.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<String, String> consumer;
    private final RegionsConfig config;
    private final Instances instances;
    private final Consumer<RegionQueryReply> answers;
    private final TimeSource time;
    private Map<TopicPartition, Long> ends = Map.of();
    private boolean told;

    RegionReader(
            KafkaConsumer<String, String> consumer,
            RegionsConfig config,
            Instances instances,
            Consumer<RegionQueryReply> answers,
            TimeSource time) {
        this.consumer = consumer;
        this.config = config;
        this.instances = instances;
        this.answers = answers;
        this.time = time;
    }

    /** Takes its places in the topics; false if one of them does not exist. */
    boolean open() {
        List<TopicPartition> reported = partitions(config.reportsTopic());
        List<TopicPartition> answered = partitions(config.answersTopic());
        if (reported.isEmpty() || answered.isEmpty()) {
            return false;
        }
        List<TopicPartition> all = new ArrayList<>(reported);
        all.addAll(answered);
        consumer.assign(all);
        consumer.seekToEnd(answered);
        answered.forEach(consumer::position);
        ends = consumer.endOffsets(reported);
        seekBack(reported);
        return true;
    }

    private void seekBack(List<TopicPartition> partitions) {
        long sinceMillis = TimeUnit.MICROSECONDS.toMillis(time.wallMicros())
                - config.forgetAfter().toMillis();
        Map<TopicPartition, Long> since = new HashMap<>();
        partitions.forEach(each -> since.put(each, Math.max(0, sinceMillis)));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(since);
        for (TopicPartition each : partitions) {
            OffsetAndTimestamp first = found.get(each);
            consumer.seek(each, first == null ? ends.getOrDefault(each, 0L) : first.offset());
        }
    }

    void read() {
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
            try {
                take(record);
            } catch (WireException unreadable) {
                skip(unreadable);
            }
        }
    }

    private void take(ConsumerRecord<String, String> record) {
        if (record.value() == null) {
            return;
        }
        if (record.topic().equals(config.answersTopic())) {
            answers.accept(RegionQueryReply.decode(record.value()));
        } else {
            instances.heard(InstanceReport.decode(record.value()), heardMicros(record));
        }
    }

    /** What was there before this began was said when it was written; everything later is said now, by our own clock. */
    private long heardMicros(ConsumerRecord<String, String> record) {
        long nowMicros = time.wallMicros();
        boolean before =
                record.offset() < ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
        return before ? Math.min(nowMicros, TimeUnit.MILLISECONDS.toMicros(record.timestamp())) : nowMicros;
    }

    /** A million of them are told once. */
    private void skip(WireException unreadable) {
        if (!told) {
            told = true;
            LOG.warnf("a record of a limiter is skipped, further ones silently: reason=%s", unreadable.getMessage());
        }
    }

    private List<TopicPartition> partitions(String topic) {
        List<PartitionInfo> known = consumer.partitionsFor(topic);
        return known == null
                ? List.of()
                : known.stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
    }
}
