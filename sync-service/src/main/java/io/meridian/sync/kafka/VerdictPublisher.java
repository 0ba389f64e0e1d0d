package io.meridian.sync.kafka;

import io.meridian.model.wire.LeaderBeat;
import io.meridian.sync.leader.LogPort.PartitionBatch;
import io.meridian.sync.ops.SyncMetrics.TransactionOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Publisher of verdicts, one transaction at a time. Each carries offsets of every partition of which it has records, because the broker checks
 * the generation of their group: so no replica publishes that the group has replaced.
 */
final class VerdictPublisher implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(VerdictPublisher.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Supplier<ConsumerGroupMetadata> fence;
    private final TopicPair topics;
    private final boolean fenced;
    private @Nullable Producer<byte[], byte[]> producer;

    /** @param fenced whether transactions carry offsets; false only in a test that shows what the fence prevents */
    VerdictPublisher(
            Supplier<Producer<byte[], byte[]>> producers,
            Supplier<ConsumerGroupMetadata> fence,
            TopicPair topics,
            boolean fenced) {
        this.producers = producers;
        this.fence = fence;
        this.topics = topics;
        this.fenced = fenced;
    }

    /** All or nothing of it. After a failure the next one begins with a new producer, which ends what this one left. */
    TransactionOutcome publish(List<PartitionBatch> batches) {
        try {
            begin(batches).commitTransaction();
            return TransactionOutcome.COMMITTED;
        } catch (InterruptException ending) {
            throw ending;
        } catch (KafkaException failure) {
            TransactionOutcome outcome =
                    FencingErrors.isFenced(failure) ? TransactionOutcome.REFUSED : TransactionOutcome.FAILED;
            if (outcome == TransactionOutcome.REFUSED) {
                abort();
            }
            drop();
            LOG.infof("verdicts were not published: outcome=%s reason=%s", outcome, failure);
            return outcome;
        }
    }

    /** All but the commit. */
    Producer<byte[], byte[]> begin(Collection<PartitionBatch> batches) {
        Producer<byte[], byte[]> open = open();
        open.beginTransaction();
        batches.stream().flatMap(each -> records(each, topics.verdicts())).forEach(record -> {
            // A record that is not taken fails the commit.
            Future<?> unused = open.send(record);
        });
        if (fenced) {
            open.sendOffsetsToTransaction(offsets(batches), FencingErrors.known(fence.get()));
        }
        return open;
    }

    /** Opens the producer; that ends what a predecessor of the same name left open. */
    Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            open = producers.get();
            producer = open;
            open.initTransactions();
        }
        return open;
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Collection<PartitionBatch> batches) {
        return batches.stream()
                .collect(Collectors.toMap(
                        each -> topics.usage(each.partition()), each -> new OffsetAndMetadata(each.usagePosition())));
    }

    /** Records of a batch. The beat comes first: a reader of what follows knows the epoch. Rights to floors precede verdicts that count them. */
    static Stream<ProducerRecord<byte[], byte[]>> records(PartitionBatch batch, String topic) {
        Stream<ProducerRecord<byte[], byte[]>> beats = Stream.ofNullable(batch.beat())
                .map(each -> new ProducerRecord<>(topic, batch.partition(), LeaderBeat.key(), each.value()));
        Stream<ProducerRecord<byte[], byte[]>> floors = batch.floors().stream()
                .map(each -> new ProducerRecord<>(topic, batch.partition(), each.key(), each.value()));
        Stream<ProducerRecord<byte[], byte[]>> verdicts = batch.verdicts().stream()
                .map(each -> new ProducerRecord<>(topic, batch.partition(), each.key(), each.value()));
        return Stream.of(beats, floors, verdicts).flatMap(each -> each);
    }

    /**
     * Ends a refused transaction. Until it ends, nobody can read past it, and so nobody can take its partitions over; the
     * broker would end it only after the transaction timeout.
     */
    private void abort() {
        Producer<byte[], byte[]> refused = producer;
        if (refused == null) {
            return;
        }
        try {
            refused.abortTransaction();
        } catch (InterruptException ending) {
            throw ending;
        } catch (KafkaException | IllegalStateException failed) {
            LOG.infof("a refused transaction stays open until the broker ends it: reason=%s", failed);
        }
    }

    private void drop() {
        Producer<byte[], byte[]> failed = producer;
        producer = null;
        if (failed != null) {
            failed.close(Duration.ZERO);
        }
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> last = producer;
        producer = null;
        if (last != null) {
            last.close(CLOSE_TIMEOUT);
        }
    }
}
