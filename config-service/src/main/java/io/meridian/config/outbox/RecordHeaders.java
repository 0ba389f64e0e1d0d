package io.meridian.config.outbox;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** What a record says besides its entry: the revision that made it, and its place in the outbox. */
final class RecordHeaders {
    static final String REVISION = "revision";
    static final String POSITION = "position";
    static final String MARKER = "revision";

    private RecordHeaders() {}

    static ProducerRecord<String, @Nullable String> record(String topic, Pending pending) {
        ProducerRecord<String, @Nullable String> record =
                new ProducerRecord<>(topic, 0, pending.key(), pending.value());
        record.headers().add(REVISION, bytes(pending.revision())).add(POSITION, bytes(pending.position()));
        return record;
    }

    /**
     * How far the topic is, under one key, and in its value the revision that is whole by now. Compaction keeps the last of
     * them, where it forgets removals in time, and a limiter that starts then knows its revision all the same.
     */
    static ProducerRecord<String, @Nullable String> marker(String topic, Pending last, boolean isWhole) {
        long whole = isWhole ? last.revision() : last.revision() - 1;
        return record(topic, new Pending(last.position(), last.revision(), MARKER, Long.toString(whole)));
    }

    /** The number of a header, 0 where somebody else wrote the record. */
    static long number(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        String text = header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
