package io.meridian.config.outbox;

import io.meridian.config.outbox.Outbox.Pending;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Headers of records: the revision that made a change, its position in the outbox, and in markers the complete topic. */
final class RecordHeaders {
    static final String REVISION = "revision";
    static final String POSITION = "position";
    static final String MARKER = "revision";
    /** The identity of the topic that a marker declares complete. */
    static final String TOPIC = "topic";

    private RecordHeaders() {}

    static ProducerRecord<String, @Nullable String> record(String topic, Pending pending) {
        ProducerRecord<String, @Nullable String> record =
                new ProducerRecord<>(topic, 0, pending.key(), pending.value());
        record.headers().add(REVISION, bytes(pending.revision())).add(POSITION, bytes(pending.position()));
        return record;
    }

    /**
     * Marker of the topic's progress, under one key; its value is the last revision that is published completely. Compaction
     * keeps the last marker but forgets removals in time, so a limiter that starts later knows its revision by the marker.
     *
     * @param wholeTopic the identity of the topic if it is known to have every entry of the database, else empty: limiters
     *     apply nothing of a topic that no marker declares complete
     */
    static ProducerRecord<String, @Nullable String> marker(
            String topic, Pending last, boolean isWhole, String wholeTopic) {
        long whole = isWhole ? last.revision() : last.revision() - 1;
        ProducerRecord<String, @Nullable String> marker =
                record(topic, new Pending(last.position(), last.revision(), MARKER, Long.toString(whole)));
        if (!wholeTopic.isEmpty()) {
            marker.headers().add(TOPIC, wholeTopic.getBytes(StandardCharsets.UTF_8));
        }
        return marker;
    }

    /** The number in a header; 0 where another writer wrote the record. */
    static long number(ConsumerRecord<?, ?> record, String name) {
        String text = text(record, name);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** The text of a header; empty if it is absent. */
    static String text(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
