package io.meridian.config.outbox;

import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * One term of publishing. What Kafka has committed is forgotten only afterwards, and a successor first asks the topic how far
 * it got: so every change is there once, wherever a publisher dies.
 */
final class Publication {
    private final Producer<String, @Nullable String> producer;
    private final Outbox outbox;
    private final String topic;
    private final int batch;

    Publication(Producer<String, @Nullable String> producer, Outbox outbox, String topic, int batch) {
        this.producer = producer;
        this.outbox = outbox;
        this.topic = topic;
        this.batch = batch;
    }

    /** Begins where the topic ends; the predecessor, whose transaction may be open, was fenced before the topic was read. */
    void begin(long position) {
        outbox.forget(position);
    }

    /** Publishes the next changes, and says which. */
    List<Pending> publish() {
        // One more than is sent tells whether the last revision ends here: its rows were committed at once.
        List<Pending> seen = outbox.next(batch + 1);
        List<Pending> next = seen.subList(0, Math.min(batch, seen.size()));
        if (next.isEmpty()) {
            return List.of();
        }
        producer.beginTransaction();
        for (Pending pending : next) {
            // What goes wrong with one of them, the commit says.
            Future<RecordMetadata> unused = producer.send(RecordHeaders.record(topic, pending));
        }
        Pending last = next.get(next.size() - 1);
        boolean isWhole = seen.size() <= batch || seen.get(batch).revision() != last.revision();
        Future<RecordMetadata> unused = producer.send(RecordHeaders.marker(topic, last, isWhole));
        producer.commitTransaction();
        outbox.forget(last.position());
        return next;
    }
}
