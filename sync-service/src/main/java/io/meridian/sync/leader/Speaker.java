package io.meridian.sync.leader;

import io.meridian.sync.leader.LogPort.TransactionOutcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Says what leaders have to say, one transaction at a time. Each carries offsets of every partition it speaks of, because the
 * broker holds their group's generation against it: so nobody speaks whom the group has replaced.
 */
final class Speaker implements Voice, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Speaker.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Supplier<ConsumerGroupMetadata> fence;
    private final TopicPair topics;
    private final boolean fenced;
    private @Nullable Producer<byte[], byte[]> producer;

    Speaker(
            Supplier<Producer<byte[], byte[]>> producers,
            Supplier<ConsumerGroupMetadata> fence,
            TopicPair topics,
            boolean fenced) {
        this.producers = producers;
        this.fence = fence;
        this.topics = topics;
        this.fenced = fenced;
    }

    @Override
    public void say(List<Statement> statements, Consumer<TransactionOutcome> then) {
        then.accept(say(statements));
    }

    /** All or nothing of it. After a failure the next one begins with a new producer, which ends what this one left. */
    TransactionOutcome say(List<Statement> statements) {
        try {
            begin(statements).commitTransaction();
            return TransactionOutcome.COMMITTED;
        } catch (InterruptException ending) {
            throw ending;
        } catch (KafkaException failure) {
            TransactionOutcome outcome = Refusals.isRefusal(failure) ? TransactionOutcome.REFUSED : TransactionOutcome.FAILED;
            if (outcome == TransactionOutcome.REFUSED) {
                abort();
            }
            drop();
            LOG.infof("what was to be said was not: outcome=%s reason=%s", outcome, failure);
            return outcome;
        }
    }

    /** All but the commit. */
    Producer<byte[], byte[]> begin(Collection<Statement> statements) {
        Producer<byte[], byte[]> open = open();
        open.beginTransaction();
        statements.stream().flatMap(each -> each.records(topics.verdicts())).forEach(record -> {
            // A record that is not taken fails the commit.
            Future<?> unused = open.send(record);
        });
        if (fenced) {
            open.sendOffsetsToTransaction(offsets(statements), Refusals.known(fence.get()));
        }
        return open;
    }

    /** Ready to speak; ends what a predecessor of the same name left open. */
    Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            open = producers.get();
            producer = open;
            open.initTransactions();
        }
        return open;
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(Collection<Statement> statements) {
        return statements.stream()
                .collect(Collectors.toMap(
                        each -> topics.usage(each.partition().number()),
                        each -> new OffsetAndMetadata(each.usagePosition())));
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
