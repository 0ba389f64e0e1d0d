package io.meridian.config.outbox;

import io.meridian.config.outbox.Outbox.Pending;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Publisher of batches during one lease, each a Kafka transaction. A batch is deleted from the outbox only after Kafka's
 * commit, and a successor first reads the topic's last position: so every change is in the topic once, wherever a publisher
 * dies.
 */
final class BatchPublisher {
    private final Producer<String, @Nullable String> producer;
    private final Outbox outbox;
    private final String topic;
    private final int batch;
    /** Identity of the topic that is known to have every entry, for the markers; empty while none is. */
    private String wholeTopic = "";
    /**
     * Identity of the topic that will have every entry when the outbox is empty, for the next marker; empty if there is none.
     */
    private String completed = "";

    private long position;

    BatchPublisher(Producer<String, @Nullable String> producer, Outbox outbox, String topic, int batch) {
        this.producer = producer;
        this.outbox = outbox;
        this.topic = topic;
        this.batch = batch;
    }

    /**
     * Starts after the topic's last position; the predecessor, which may have an open transaction, was fenced before the
     * topic was read.
     */
    void begin(long lastPosition) {
        position = lastPosition;
        outbox.deleteUpTo(lastPosition);
    }

    /** An earlier publisher has found the topic of this identity complete, and a marker says so. */
    void knownWhole(String topicIdentity) {
        wholeTopic = topicIdentity;
    }

    /**
     * The topic of this identity has every entry but those waiting in the outbox: a marker says that it is complete as soon
     * as none waits.
     */
    void completed(String topicIdentity) {
        if (!wholeTopic.equals(topicIdentity)) {
            completed = topicIdentity;
        }
    }

    /** Publishes the next changes, and returns them. */
    List<Pending> publish() {
        // One row more than the batch tells whether the last revision ends with it: its rows were committed together.
        List<Pending> seen = outbox.next(batch + 1);
        List<Pending> next = seen.subList(0, Math.min(batch, seen.size()));
        if (next.isEmpty()) {
            publishWholeMarker();
            return List.of();
        }
        producer.beginTransaction();
        for (Pending pending : next) {
            // A failed send fails the commit.
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
        outbox.deleteUpTo(position);
        return next;
    }

    /** Publishes a marker that the topic is complete, where there is no change to publish with it. */
    private void publishWholeMarker() {
        OptionalLong revision = completed.isEmpty() ? OptionalLong.empty() : outbox.fullyPublishedRevision();
        if (revision.isEmpty()) {
            return;
        }
        Pending last = new Pending(position, revision.getAsLong(), RecordHeaders.MARKER, null);
        producer.beginTransaction();
        Future<RecordMetadata> unused = producer.send(RecordHeaders.marker(topic, last, true, completed));
        producer.commitTransaction();
        wholeTopic = completed;
        completed = "";
    }
}
