package io.meridian.limiter.rules.source;

import io.meridian.limiter.rules.ActiveRules;
import io.meridian.limiter.rules.RuleSet.RuleSetBuilder;
import io.meridian.limiter.rules.RulesInEffect.RuleOrigin;
import io.meridian.model.time.TimeSource;
import io.meridian.model.wire.EntryCodec;
import io.meridian.service.kafka.TopicIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the policies topic: reads it once from its beginning, applies its records, and follows it, with one rulebook per
 * batch. Nothing is put into effect before the publisher has said that this topic is whole: one that was emptied, or created anew, would
 * replace the rules in effect by none or some of them. Of several records of a key the last in the topic's order counts, which is what compaction keeps; once that is
 * known, a record of an earlier revision is one that was sent again, and changes nothing.
 */
final class TopicReader {
    /**
     * After so long without contact the topic is read anew: meanwhile it may have forgotten that something was removed
     * ({@code delete.retention.ms}, a day by default).
     */
    static final Duration REREAD_AFTER = Duration.ofHours(1);

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CONFIRM_EVERY = Duration.ofSeconds(1);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);

    private final Consumer<String, String> consumer;
    private final TopicIdentity identity;
    private final String topic;
    private final ActiveRules live;
    private final TimeSource time;
    private final RuleSetBuilder builder = new RuleSetBuilder();
    private final Runnable published;
    private final Revisions revisions = new Revisions();
    private String topicId = "";
    private long confirmedNanos;

    /** @param published called whenever a rulebook was put into effect */
    TopicReader(
            Consumer<String, String> consumer,
            TopicIdentity identity,
            String topic,
            ActiveRules live,
            TimeSource time,
            Runnable published) {
        this.published = published;
        this.identity = identity;
        this.consumer = consumer;
        this.topic = topic;
        this.live = live;
        this.time = time;
    }

    /** Whether there is such a topic; then it was read to where it ended when this began. */
    boolean load() {
        Optional<String> found = identity.current();
        Set<TopicPartition> partitions = partitions();
        if (found.isEmpty() || partitions.isEmpty()) {
            return false;
        }
        topicId = found.get();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (!isReached(ends)) {
            for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                apply(record);
            }
        }
        confirmedNanos = time.monotonicNanos();
        publishIfWhole();
        return true;
    }

    /** Whether the publisher has said that this topic has every entry there is. */
    boolean isWhole() {
        return revisions.isWhole(topicId);
    }

    /** Goes on until the topic has to be read anew. */
    void follow() {
        while (true) {
            ConsumerRecords<String, String> records = consumer.poll(POLL);
            if (applyNew(records)) {
                publishIfWhole();
            }
            long sinceNanos = time.monotonicNanos() - confirmedNanos;
            if (sinceNanos > CONFIRM_EVERY.toNanos() && !confirm(sinceNanos)) {
                return;
            }
        }
    }

    /** False if the topic has to be read anew. Where the broker does not answer, or there is something left to read, nothing is confirmed. */
    private boolean confirm(long sinceNanos) {
        try {
            if (!isReached(consumer.endOffsets(consumer.assignment(), ASK_TIMEOUT))) {
                return true;
            }
            if (sinceNanos > REREAD_AFTER.toNanos() || !isSameTopic()) {
                return false;
            }
        } catch (TimeoutException away) {
            return true;
        }
        confirmedNanos = time.monotonicNanos();
        if (isWhole()) {
            live.confirm(RuleOrigin.TOPIC);
        }
        return true;
    }

    /** A topic that was created anew may have as many records as the one before, so that its end tells nothing. */
    private boolean isSameTopic() {
        return partitions().equals(consumer.assignment()) && identity.current().equals(Optional.of(topicId));
    }

    private void publishIfWhole() {
        if (isWhole()) {
            live.replaceByTopic(builder.publish(), revisions.inEffect());
            published.run();
        }
    }

    /** Whether any of them was not one that was sent again. */
    private boolean applyNew(ConsumerRecords<String, String> records) {
        boolean applied = false;
        for (ConsumerRecord<String, String> record : records) {
            if (revisions.isStale(record)) {
                live.skipped("stale", "revision " + Revisions.of(record) + " after " + revisions.highest());
            } else {
                apply(record);
                applied = true;
            }
        }
        return applied;
    }

    private void apply(ConsumerRecord<String, String> record) {
        if (Revisions.MARKER.equals(record.key())) {
            revisions.marked(record);
        } else {
            apply(record.key(), record.value());
        }
        revisions.applied(record);
    }

    private void apply(@Nullable String key, @Nullable String value) {
        if (key == null) {
            live.skipped("unknown", "a record without a key");
            return;
        }
        try {
            if (!builder.apply(EntryCodec.decode(key, value))) {
                live.skipped(EntryCodec.kind(key), "more entries than there may be, the first too many is " + key);
            }
        } catch (RuntimeException unreadable) {
            // A failure on one record must not stop the reading of the others.
            live.skipped(EntryCodec.kind(key), unreadable.toString());
        }
    }

    private Set<TopicPartition> partitions() {
        List<PartitionInfo> partitions = consumer.partitionsFor(topic, ASK_TIMEOUT);
        return partitions == null
                ? Set.of()
                : partitions.stream()
                        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                        .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey(), ASK_TIMEOUT) >= end.getValue());
    }
}
