package io.meridian.limiter.rules.source;

import io.meridian.limiter.rules.RulesInEffect.RulesStatus;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Revisions in the headers of a topic's records. Within a partition they never fall, so a record with a lower revision than the
 * applied one is a duplicate or a replay.
 */
final class Revisions {
    static final String HEADER = "revision";

    /**
     * The key of a record that says which revision is whole by now: a set of changes may come in several parts. It survives
     * when compaction forgets a removal.
     */
    static final String MARKER = "revision";

    /**
     * The header by which a marker says that its topic is whole: read from its beginning, it has every entry there is. It names the topic by the
     * identity that Kafka gave it, so that it is said of no other topic of that name.
     */
    static final String TOPIC = "topic";

    private final Map<Integer, Long> applied = new HashMap<>();
    private long whole = RulesStatus.NO_REVISION;
    private String wholeTopic = "";

    /** Revision in the header of a record; {@link RulesStatus#NO_REVISION} if it is absent or malformed. */
    static long of(ConsumerRecord<?, ?> record) {
        return parse(header(record, HEADER));
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    static long parse(String text) {
        try {
            return Math.max(RulesStatus.NO_REVISION, Long.parseLong(text));
        } catch (NumberFormatException malformed) {
            return RulesStatus.NO_REVISION;
        }
    }

    boolean isStale(ConsumerRecord<?, ?> record) {
        long revision = of(record);
        return revision != RulesStatus.NO_REVISION
                && revision < applied.getOrDefault(record.partition(), RulesStatus.NO_REVISION);
    }

    void applied(ConsumerRecord<?, ?> record) {
        applied.merge(record.partition(), of(record), Math::max);
    }

    /** A marker says it in its value; what cannot be read there is taken from its header. */
    void marked(ConsumerRecord<?, String> marker) {
        long said = marker.value() == null ? RulesStatus.NO_REVISION : parse(marker.value());
        whole = Math.max(whole, said == RulesStatus.NO_REVISION ? of(marker) : said);
        String topic = header(marker, TOPIC);
        wholeTopic = topic.isEmpty() ? wholeTopic : topic;
    }

    /** Whether a marker said that the topic of this identity is whole. It stays so, since every change is added to it. */
    boolean isWhole(String topicIdentity) {
        return wholeTopic.equals(topicIdentity);
    }

    /** The revision that is in effect whole; where no marker was seen, the highest of all records. */
    long inEffect() {
        return whole == RulesStatus.NO_REVISION ? highest() : whole;
    }

    long highest() {
        return applied.values().stream().mapToLong(Long::longValue).max().orElse(RulesStatus.NO_REVISION);
    }
}
