package io.meridian.config.outbox;

import io.meridian.config.outbox.Outbox.Pending;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * One term of publishing. What Kafka has committed is forgotten only afterwards, and a successor first asks the topic how far
 * it got: so every change is there once, wherever a publisher dies.
 */
final class BatchPublisher {
    private final Producer<String, @Nullable String> producer;
    private final Outbox outbox;
    private final String topic;
    private final int batch;
    /** The identity of the topic that has every entry, which every marker says; empty while that is not known. */
    private String wholeTopic = "";
    /** The identity of the topic that has every entry once the outbox is empty; empty if there is nothing new to be said. */
    private String completed = "";

    private long position;

    BatchPublisher(Producer<String, @Nullable String> producer, Outbox outbox, String topic, int batch) {
        this.producer = producer;
        this.outbox = outbox;
        this.topic = topic;
        this.batch = batch;
    }

    /** Begins where the topic ends; the predecessor, whose transaction may be open, was fenced before the topic was read. */
    void begin(long lastPosition) {
        position = lastPosition;
        outbox.forget(lastPosition);
    }

    /** A publisher before this one has found that the topic of this identity is whole, and has said so. */
    void isWhole(String topicIdentity) {
        wholeTopic = topicIdentity;
    }

    /** The topic of this identity has every entry, but for what waits in the outbox: it is said to be whole when nothing waits any more. */
    void completed(String topicIdentity) {
        if (!wholeTopic.equals(topicIdentity)) {
            completed = topicIdentity;
        }
    }

    /** Publishes the next changes, and says which. */
    List<Pending> publish() {
        // One more than is sent tells whether the last revision ends here: its rows were committed at once.
        List<Pending> seen = outbox.next(batch + 1);
        List<Pending> next = seen.subList(0, Math.min(batch, seen.size()));
        if (next.isEmpty()) {
            tellWhole();
            return List.of();
        }
        producer.beginTransaction();
        for (Pending pending : next) {
            // What goes wrong with one of them, the commit says.
            Future<RecordMetadata> unused = producer.send(RecordHeaders.record(topic, pending));
        }
        Pending last = next.get(next.size() - 1);
        if (seen.size() <= batch && !completed.isEmpty()) {
            wholeTopic = completed;
            completed = "";
        }
        boolean isWhole = seen.size() <= batch || seen.get(batch).revision() != last.revision();
        Future<RecordMetadata> unused = producer.send(RecordHeaders.marker(topic, last, isWhole, wholeTopic));
        producer.commitTransaction();
        position = last.position();
        outbox.forget(position);
        return next;
    }

    /** Says that the topic is whole where no change is there to be published with it. */
    private void tellWhole() {
        OptionalLong told = completed.isEmpty() ? OptionalLong.empty() : outbox.allTold();
        if (told.isEmpty()) {
            return;
        }
        Pending last = new Pending(position, told.getAsLong(), RecordHeaders.MARKER, null);
        producer.beginTransaction();
        Future<RecordMetadata> unused = producer.send(RecordHeaders.marker(topic, last, true, completed));
        producer.commitTransaction();
        wholeTopic = completed;
        completed = "";
    }
}
